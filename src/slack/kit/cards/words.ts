import { campaignOf, KINDS, kindOf } from '../../../messages/kinds.ts';
import type { Template } from '../../../messages/templates/template.ts';
import type { Repeats } from '../../../sends/bulk/repeats.ts';
import type { Failure } from '../../../sends/outcome.ts';
import type { Approval, FailureGroup } from '../../../sends/ports.ts';
import type { Reached } from '../../../sends/replies/ports.ts';
import type { SendEvent } from '../../../sends/send.ts';
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

/* The words for sends in cards, progress messages, lists and counts. */

const SHOWN_LABEL = 100;

/** `40,000` */
export function shown(count: number): string {
  return count.toLocaleString('en');
}

export function people(count: number): string {
  return count === 1 ? '1 person' : `${shown(count)} people`;
}

export function rowsOf(count: number): string {
  return count === 1 ? '1 row' : `${shown(count)} rows`;
}

export function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}

/** `Monday orders · “Order update” to 3,000 people`, `SMS to 1 person`, `Flash SMS, a page to 3 on call`; mrkdwn. */
export function whatSend(send: Send, template?: Template): string {
  const count = send.recipientCount - send.counts.skipped;
  return `${whatIsSent(send, template)}${isPage(send) ? `, a page to ${shown(count)} on call` : ` to ${people(count)}`}`;
}

/** Its campaign, where it has a name, and its template, or else its kind; both for one person. mrkdwn. */
export function whatIsSent({ kind, message, audience, template: kept }: Send, template = kept): string {
  const label = template ? [`“${literalMrkdwn(template.label, SHOWN_LABEL)}”`] : [];
  const title = template && audience ? [] : [KINDS[kind].title];
  const campaign = literalMrkdwn(campaignOf(message) ?? '', SHOWN_LABEL);
  return `${campaign && `${campaign} · `}${[...title, ...label].join(' ')}`;
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

/** A send that was taken back by who asked for it was refused by nobody. */
export function stateOf(send: Pick<Send, 'state' | 'reason'>): StateWords {
  return isWithdrawn(send) ? { mark: '↩️', words: 'withdrawn, nothing was sent' } : SEND_STATES[send.state];
}

/** States of recipients in words, in the order in which they are shown. */
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
/** The same for one person; the others read alike. */
export const ONE_RECIPIENT: Readonly<Record<RecipientState, StateWords>> = {
  ...RECIPIENT_STATES,
  pending: SENDING,
  attempting: SENDING,
  unknown: { mark: '❓', words: 'it may have been sent' },
  skipped: { mark: '➖', words: 'skipped, nothing was sent' },
};

export function becameOfOne(state: RecipientState, reached?: Reached): StateWords {
  const { mark, words } = ONE_RECIPIENT[state];
  if (reached === undefined) return { mark, words };
  if (reached.delivered > 0)
    return { mark: '📬', words: reached.read > 0 ? 'delivered and read' : 'delivered' };
  return reached.failed > 0 ? { mark: '📪', words: `${words}, not delivered` } : { mark, words };
}

/** Those whom another send tries again, in words. */
export const RETRY_GROUPS: Readonly<Record<RetryGroup, string>> = {
  failed: 'those to whom nothing was sent',
  unknown: 'those who may have been sent to',
  untried: 'those who were not tried',
};

/** Says who did something and when; Herald itself has no name. */
export function actorOf(event: Pick<SendEvent, 'actor' | 'at'>): string {
  const by = event.actor === 'herald' ? 'by Herald itself' : `by ${mention(event.actor)}`;
  return `${by}, ${moment(event.at)}`;
}

/** Names who approved; mrkdwn. */
export function approversOf(approvals: readonly Approval[]): string {
  return approvals.map(({ userId }) => mention(userId)).join(', ');
}

/** Says who approved, and when; mrkdwn. */
export function givenBy(approvals: readonly Approval[]): string {
  return approvals.map(({ userId, at }) => `${mention(userId)}, ${moment(at)}`).join(' · ');
}

/**
 * Says who of a send's recipients got the same lately, in mrkdwn; nothing for nobody.
 *
 * @param inBrief where Slack formats nothing and the words stay as they are
 * @param asker is named beside it already: their own send says by whom only where all got it
 */
export function repeatLines(repeats: Repeats | undefined, { inBrief = false, asker = '' } = {}): string[] {
  if (repeats === undefined) return [];
  const { count, recipients, exact, sendId, userId, at, others, isMixed } = repeats;
  const who =
    count === recipients && count > 1 ? `all ${shown(count)}` : `${shown(count)} of ${shown(recipients)}`;
  const ahead = isMixed ? 'got, or are to get,' : `${count === 1 ? 'is' : 'are'} to get`;
  const got = at === undefined ? ahead : 'got';
  const when = at === undefined || inBrief ? '' : `${moment(at)} `;
  const more = others === 0 ? '' : ` and ${others} more`;
  const namesWho = !inBrief && (userId !== asker || count === recipients);
  const by = `${sendId}${more}${namesWho ? `, by ${mention(userId)}` : ''}`;
  const line = `${exact ? '' : 'about '}${who} ${got} this very message ${when}(${by}).`;
  return [line.charAt(0).toUpperCase() + line.slice(1)];
}

/** The latest event by which a send came into a state. */
export function lastInto(state: SendEvent['action'], events: readonly SendEvent[]): SendEvent | undefined {
  return events.findLast(({ action }) => action === state);
}

/** People whom a message did not reach, or perhaps did, for one cause. */
export interface Cause extends Omit<FailureGroup, 'state'> {
  /** Absent: the service took it, and reports that it was not delivered. */
  readonly state?: RecipientState;
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

/** The length of the words around the service's own, and the fewest of its words that make sense. */
const FRAME = ' The service says: ``.'.length;
const FEWEST_WORDS = 20;

type Why = Pick<Failure, 'what' | 'next' | 'explanation'>;

/**
 * Says what happened, in mrkdwn of at most `most` characters, with the service's own words on it as far as there is room. They
 * are foreign: as code, Slack formats nothing of them and makes no links.
 */
export function whatHappened({ what, explanation }: Omit<Why, 'next'>, most: number): string {
  const happened = escapeMrkdwn(what, most);
  const room = most - happened.length - FRAME;
  if (explanation === undefined || room < FEWEST_WORDS) return happened;
  return `${happened} The service says: \`${escapeMrkdwn(explanation.replaceAll('`', '’'), room)}\`.`;
}

/** Says what happened and what to do next, in mrkdwn of at most `most` characters. */
export function whyText(failure: Why, most: number): string {
  const next = escapeMrkdwn(failure.next, most / 2);
  return `${whatHappened(failure, most - next.length - 1)} ${next}`;
}

/** Counts those who have come to an outcome, and all who are sent to. */
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
