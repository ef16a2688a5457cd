import type { types } from '@slack/bolt';
import type { RecipientCounts, RecipientState, Send } from '../../../sends/send.ts';
import { escapeMrkdwn, literalMrkdwn } from '../../connection/escape.ts';
import { truncate } from '../../connection/limits.ts';
import { actions, button, context, mention, moment, section, wholeSection } from '../../kit/blocks/blocks.ts';
import { table } from '../../kit/blocks/table.ts';
import { answerBlocks, deliveryParts } from '../../kit/cards/answers.ts';
import type { Card } from '../../kit/cards/send-card.ts';
import type { Speed } from '../../kit/cards/speed.ts';
import { templateButtons } from '../../kit/cards/template-of.ts';
import {
  bar,
  type Cause,
  duration,
  inShort,
  people,
  RECIPIENT_STATES,
  shown,
  stateOf,
  tallyOf,
  whatSend,
  whyText,
} from '../../kit/cards/words.ts';
import type { EndedSend } from '../standing.ts';

export const PAUSE_ACTION = 'send_pause';
export const RESUME_ACTION = 'send_resume';
export const STOP_ACTION = 'send_stop';
export const CANCEL_ACTION = 'send_cancel';
export const RETRY_UNKNOWN_ACTION = 'send_retry_unknown';
export const LEAVE_ACTION = 'send_leave';
export const WAIT_ACTION = 'send_wait';

/** As many as a message holds at their longest. */
const CAUSES_SHOWN = 12;
const SHOWN_CAUSE = 400;
const SHOWN_CODE = 40;
const CAUSE_COLUMNS = ['Recipients', 'What happened', 'What to do next', 'Code'];
const SHOWN_TEXT = 120;

/** Stands in the progress message and in no other. */
export function progressMark(sendId: string): string {
  return `progress:${sendId}`;
}

export interface ShownProgress
  extends Speed,
    Pick<EndedSend, 'send'>,
    Partial<Pick<EndedSend, 'template' | 'failures' | 'answers'>> {
  /** Herald is stopping in the middle of it. */
  readonly restarting?: boolean;
}

/**
 * Shows how far a send is: bar, recipients by outcome, rate, time left, and what can be done. Paused it says why, and what each button
 * does.
 */
export function progressCard(progress: ShownProgress): Card {
  const { send, template, failures = [], answers } = progress;
  const { mark, words } = stateOf(send);
  const headline = `${mark} *${whatSend(send, template)}*: ${words}`;
  const { settled, all } = tallyOf(send.counts);
  const lines = [
    headline,
    ...(template ? [] : [literalMrkdwn(inShort(send), SHOWN_TEXT)]),
    `${bar(settled, all)}  ${percent(settled, all)} · ${shown(settled)} of ${shown(all)}`,
    [countsText(send.counts), ...(answers === undefined ? [] : deliveryParts(answers))].join(' · '),
  ];
  const why = haltText(progress);
  return {
    text: `${headline.replaceAll('*', '')}, ${shown(settled)} of ${shown(all)}. Reference ${send.id}.`,
    blocks: [
      { ...wholeSection(lines.join('\n')), block_id: progressMark(send.id) },
      ...answerBlocks(answers),
      ...(why === undefined ? [] : [wholeSection(why)]),
      ...causeBlocks(failures),
      ...actions([...progressButtons(send), ...templateButtons(send.message, send.reason)]),
      context([...pace(progress), `By ${mention(send.origin.userId)}`, `Reference ${send.id}`].join(' · ')),
    ],
  };
}

/** Lists why a message did not reach people, or may not have, most frequent first. Who was left out is counted elsewhere. */
export function causeBlocks(causes: readonly Cause[]): types.KnownBlock[] {
  const found = causes.filter(({ state }) => state !== 'skipped').toSorted((a, b) => b.count - a.count);
  const rows = found.slice(0, CAUSES_SHOWN).map(({ state, failure, count }) => {
    const { what, explanation, next, code = '' } = failure;
    const mark = state === undefined ? '📪' : RECIPIENT_STATES[state].mark;
    const said = explanation === undefined ? '' : ` The service says: “${explanation}”.`;
    const why = truncate(`${what}${said}`, SHOWN_CAUSE);
    const cells = [why, truncate(next, SHOWN_CAUSE / 2), truncate(code, SHOWN_CODE)] as const;
    return [[count, `${mark} ${shown(count)}`], ...cells] as const;
  });
  const more = found.length - rows.length;
  const note = more > 0 ? [context(`… and ${more} more causes, in the report.`)] : [];
  return [...table('Not delivered, and why', CAUSE_COLUMNS, rows), ...note];
}

function percent(done: number, all: number): string {
  return `${all === 0 ? 100 : Math.floor((done / all) * 100)} %`;
}

/** Recipients by outcome, as far as there are any. Who was left out before the start is on the approval card. */
export function countsText({ skipped: _left, ...counts }: RecipientCounts): string {
  const parts = Object.entries(RECIPIENT_STATES).flatMap(([state, { mark, words }]) => {
    const count = { skipped: 0, ...counts }[state as RecipientState];
    return count > 0 ? [`${mark} *${shown(count)}* ${words}`] : [];
  });
  return parts.length === 0 ? 'Nobody is left to send to.' : parts.join(' · ');
}

function pace({ send, perSecond, remainingMs, restarting }: ShownProgress): string[] {
  if (send.state !== 'sending' || restarting === true) return [];
  const rate = perSecond >= 10 ? Math.round(perSecond) : Math.round(perSecond * 10) / 10;
  return [
    ...(perSecond > 0 ? [`${shown(rate)} a second`] : []),
    ...(remainingMs === undefined ? [] : [`${duration(remainingMs)} left`]),
  ];
}

function haltText({ send, restarting, stalled }: ShownProgress): string | undefined {
  if (send.state === 'paused') return pauseText(send);
  if (send.state !== 'sending') return undefined;
  const left = shown(send.counts.pending + send.counts.attempting);
  if (restarting === true)
    return `🔄 Herald is being restarted: *${left}* left. It goes on by itself as soon as Herald runs again. If that takes long, it asks before it goes on.`;
  if (stalled !== true) return undefined;
  return '⚠️ Herald cannot write to its database, so it sends to nobody until it can. Ask whoever runs Herald to look at the database and its disk; it goes on by itself then.';
}

/** Says why a send is paused, and what the buttons do about it. */
export function pauseText({ reason, resumeAt }: Send): string {
  const why = reason === undefined ? '' : `${whyText(reason, 1500)}\n`;
  const next =
    resumeAt === undefined
      ? '*Resume* goes on with those who were not tried yet; *Stop* ends it for good, and they get nothing.'
      : '*Stop* ends it for good: those who were not tried yet then get nothing.';
  return `${why}${next}`;
}

/**
 * Asks whoever asked for the send, where they get its news, what to do with the rest that quiet hours hold back. Undefined
 * when nothing does.
 */
export function heldCard(send: Send): Card | undefined {
  const { state, reason, resumeAt, counts, origin } = send;
  if (state !== 'paused' || reason === undefined || resumeAt === undefined) return undefined;
  const rest = `the remaining ${people(counts.pending)} of ${send.id}`;
  const sentence = `${escapeMrkdwn(reason.what, 600)} What should happen to ${rest}?`;
  return {
    text: `${sentence} ${escapeMrkdwn(reason.next, 600)}`,
    blocks: [
      { ...section(`⏸️ ${mention(origin.userId)} ${sentence}`), block_id: `held:${send.id}` },
      section(`If nobody chooses, it goes on by itself ${moment(resumeAt)}.`),
      ...actions([button(WAIT_ACTION, 'Wait until then', send.id, { style: 'primary' }), stopButton(send)]),
    ],
  };
}

function progressButtons(send: Send): types.Button[] {
  if (send.state === 'sending') return [button(PAUSE_ACTION, 'Pause', send.id), stopButton(send)];
  // A send that is held back goes on by itself, and not before: a button for it would only be refused.
  if (send.resumeAt !== undefined) return [stopButton(send)];
  return [button(RESUME_ACTION, 'Resume', send.id, { style: 'primary' }), stopButton(send)];
}

function stopButton({ id, counts }: Pick<Send, 'id' | 'counts'>): types.Button {
  return button(STOP_ACTION, 'Stop', id, {
    style: 'danger',
    question: {
      title: 'Stop this send for good?',
      text: `${people(counts.pending)} not tried yet will get nothing. What is on its way arrives. This cannot be undone.`,
      yes: 'Stop',
    },
  });
}

export function cancelButton(send: Send): types.Button {
  return button(CANCEL_ACTION, 'Withdraw', send.id, {
    style: 'danger',
    question: {
      title: 'Withdraw this send?',
      text: 'Only the person who asked can. Nothing was sent yet, and nothing will be.',
      yes: 'Withdraw',
      no: 'Keep it',
    },
  });
}

/** Stands in the question about those of whom nobody knows. */
export function unknownMark(sendId: string): string {
  return `unknown:${sendId}`;
}

/** Asks what to do about those of whom nobody knows. Undefined when there are none. */
export function unknownCard(send: Send): Card | undefined {
  const { unknown } = send.counts;
  if (unknown === 0) return undefined;
  const sentence = `❓ *${people(unknown)}* may or may not have received this. Herald does not send to them again by itself; those whom a delivery report names are no longer among them.`;
  return {
    text: sentence.replaceAll('*', ''),
    blocks: [
      { ...section(sentence), block_id: unknownMark(send.id) },
      ...actions([retryUnknownButton(send), button(LEAVE_ACTION, 'Leave', send.id)]),
    ],
  };
}

export function retryUnknownButton({ id, counts }: Send): types.Button {
  return button(RETRY_UNKNOWN_ACTION, 'Retry unknown', id, {
    style: 'danger',
    question: {
      title: `Send again to ${people(counts.unknown)}?`,
      text: 'They may have it already: this may reach people twice. Your name is kept with this choice.',
      yes: 'Send again',
    },
  });
}
