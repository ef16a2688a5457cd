import { KINDS, kindOf } from '../../../messages/kinds.ts';
import type { Template } from '../../../messages/templates/template.ts';
import type { Failure } from '../../../sends/outcome.ts';
import type { Approval, FailureGroup } from '../../../sends/ports.ts';
import type { SendEvent } from '../../../sends/record.ts';
import {
  isWithdrawn,
  type RecipientCounts,
  type RecipientState,
  type RetryGroup,
  type Send,
  type SendState,
  settledOf,
} from '../../../sends/send.ts';
import { escapeMrkdwn, literalMrkdwn } from '../../connection/escape.ts';
import { mention, moment } from '../blocks/blocks.ts';

/* The words by which sends are told of, in cards, progress messages, lists and counts. */

const SHOWN_LABEL = 100;
/** A dozen of them fit into one message. */
const SHOWN_WHY = 900;

/** `40,000` */
export function shown(count: number): string {
  return count.toLocaleString('en');
}

export function people(count: number): string {
  return count === 1 ? '1 recipient' : `${shown(count)} recipients`;
}

export function rowsOf(count: number): string {
  return count === 1 ? '1 row' : `${shown(count)} rows`;
}

/** `SMS to 40,000 recipients`, with a template's label where there is one; `Flash SMS, a page to 3 on call`; mrkdwn. */
export function whatSend(send: Send, template?: Template): string {
  const label = template ? ` “${literalMrkdwn(template.label, SHOWN_LABEL)}”` : '';
  const count = send.recipientCount - send.counts.skipped;
  return `${KINDS[send.kind].title}${label}${isPage(send) ? `, a page to ${shown(count)} on call` : ` to ${people(count)}`}`;
}

/** Sent by hand to a group that is on call, where `alerts.approvalOver` says from when on that needs an approval. */
export function isPage({ approvalOver, origin }: Send): boolean {
  return approvalOver !== undefined && origin.alert === undefined;
}

export interface StateWords {
  readonly mark: string;
  readonly words: string;
}

/** A state of a send in words, and the mark that is seen first. */
export const SEND_STATES: Readonly<Record<SendState, StateWords>> = {
  draft: { mark: '↩️', words: 'taken back' },
  awaiting_approval: { mark: '🔔', words: 'waits for approval' },
  approved: { mark: '✅', words: 'approved, about to start' },
  scheduled: { mark: '🗓️', words: 'scheduled' },
  sending: { mark: '▶️', words: 'sending' },
  paused: { mark: '⏸️', words: 'paused' },
  done: { mark: '🏁', words: 'done' },
  rejected: { mark: '⛔', words: 'rejected, nothing was sent' },
  expired: { mark: '⌛', words: 'expired, nothing was sent' },
  cancelled: { mark: '🚫', words: 'cancelled, nothing was sent' },
  stopped: { mark: '⏹️', words: 'stopped' },
};

/** Its first recipient may have been tried. */
export const BEGUN: ReadonlySet<SendState> = new Set(['sending', 'paused', 'done', 'stopped']);

/** What who asked took back was refused by nobody. */
export function stateOf(send: Pick<Send, 'state' | 'reason'>): StateWords {
  return isWithdrawn(send) ? { mark: '↩️', words: 'withdrawn, nothing was sent' } : SEND_STATES[send.state];
}

/** States of recipients in words, in the order they are told. */
export const RECIPIENT_STATES: Readonly<Record<RecipientState, StateWords>> = {
  accepted: { mark: '✅', words: 'accepted by the service' },
  rejected: { mark: '⛔', words: 'rejected, nothing was sent' },
  not_sent: { mark: '⚠️', words: 'not sent' },
  unknown: { mark: '❓', words: 'may have been sent' },
  skipped: { mark: '➖', words: 'left out' },
  attempting: { mark: '📤', words: 'on the way' },
  pending: { mark: '⏳', words: 'not tried yet' },
};

const SENDING: StateWords = { mark: '⏳', words: 'sending…' };
/** The same where they are told of one person; the others read alike. */
export const ONE_RECIPIENT: Readonly<Record<RecipientState, StateWords>> = {
  ...RECIPIENT_STATES,
  pending: SENDING,
  attempting: SENDING,
  unknown: { mark: '❓', words: 'it may have been sent' },
  skipped: { mark: '➖', words: 'skipped, nothing was sent' },
};

/** Those whom another send tries again, in words. */
export const RETRY_GROUPS: Readonly<Record<RetryGroup, string>> = {
  failed: 'those to whom nothing was sent',
  unknown: 'those who may have been sent to',
  untried: 'those who were not tried',
};

/** Who did something and when; what Herald did by itself has no name. */
export function actorOf(event: Pick<SendEvent, 'actor' | 'at'>): string {
  const by = event.actor === 'herald' ? 'by Herald itself' : `by ${mention(event.actor)}`;
  return `${by}, ${moment(event.at)}`;
}

/** Who approved, and when; mrkdwn. */
export function givenBy(approvals: readonly Approval[]): string {
  return approvals.map(({ userId, at }) => `${mention(userId)}, ${moment(at)}`).join(' · ');
}

/** The latest event by which a send came into a state. */
export function lastInto(state: SendEvent['action'], events: readonly SendEvent[]): SendEvent | undefined {
  return events.findLast(({ action }) => action === state);
}

/** Why recipients failed or were left out alike, a line each: how many, what, and what to do next. */
export function causeLines(groups: readonly FailureGroup[], limit: number): string[] {
  return groups.slice(0, limit).map(({ state, failure, count }) => {
    const { mark, words } = RECIPIENT_STATES[state];
    const code = failure.code === undefined ? '' : ` (code ${literalMrkdwn(failure.code, 40)})`;
    return `${mark} *${shown(count)}* ${words}${code}. ${whyText(failure, SHOWN_WHY)}`;
  });
}

/** The message as people typed it, in a few words and one line, for dialogs and lists. Untrusted. */
export function inShort(send: Send, template?: Template): string {
  const { message } = send;
  return kindOf(message).inShort(message, template);
}

/** `3 min`, `2 h 5 min`, `less than a minute`. */
export function duration(ms: number): string {
  const minutes = Math.round(ms / 60_000);
  if (minutes < 1) return 'less than a minute';
  const hours = Math.floor(minutes / 60);
  const rest = hours === 0 || minutes % 60 > 0 ? `${minutes % 60} min` : '';
  return [hours > 0 ? `${hours} h` : '', rest].filter(Boolean).join(' ');
}

/** What stands around the service's words, and of how few of them nobody would make sense. */
const FRAME = ' The service says: ``.'.length;
const FEWEST_WORDS = 20;

type Why = Pick<Failure, 'what' | 'next' | 'explanation'>;

/**
 * What happened, in mrkdwn of at most `most` characters, with the service's own words on it as far as there is room. They
 * are foreign: as code, Slack formats nothing of them and makes no links.
 */
export function whatHappened({ what, explanation }: Omit<Why, 'next'>, most: number): string {
  const happened = escapeMrkdwn(what, most);
  const room = most - happened.length - FRAME;
  if (explanation === undefined || room < FEWEST_WORDS) return happened;
  return `${happened} The service says: \`${escapeMrkdwn(explanation.replaceAll('`', '’'), room)}\`.`;
}

/** What happened and what to do next, in mrkdwn of at most `most` characters. */
export function whyText(failure: Why, most: number): string {
  const next = escapeMrkdwn(failure.next, most / 2);
  return `${whatHappened(failure, most - next.length - 1)} ${next}`;
}

/** How many of those who are sent to have come to an outcome, and how many they are. */
export function tallyOf(counts: RecipientCounts): { readonly settled: number; readonly all: number } {
  const settled = settledOf(counts);
  return { settled, all: settled + counts.pending + counts.attempting };
}

const BAR_CELLS = 20;

export function bar(done: number, all: number): string {
  // Full only when nothing is left, and begun as soon as one is done.
  const share = all === 0 ? 1 : done / all;
  const cells = done === 0 ? (all === 0 ? BAR_CELLS : 0) : Math.max(1, Math.floor(share * BAR_CELLS));
  return '█'.repeat(cells) + '░'.repeat(BAR_CELLS - cells);
}
