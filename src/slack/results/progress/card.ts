import type { types } from '@slack/bolt';
import type { Template } from '../../../messages/templates/template.ts';
import type { FailureGroup } from '../../../sends/ports.ts';
import type { AnswerSummary } from '../../../sends/replies/ports.ts';
import type { RecipientCounts, RecipientState, Send } from '../../../sends/send.ts';
import { escapeMrkdwn, literalMrkdwn } from '../../connection/escape.ts';
import { actions, button, context, mention, moment, section } from '../../kit/blocks/blocks.ts';
import { likeThisButtons } from '../../kit/cards/again-buttons.ts';
import { answerBlocks } from '../../kit/cards/answers.ts';
import { templateButtons } from '../../kit/cards/look-button.ts';
import { type Card, directNote } from '../../kit/cards/send-card.ts';
import type { Speed } from '../../kit/cards/speed.ts';
import {
  bar,
  causeLines,
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
import { retryButtons, retryLine } from './retry-buttons.ts';

export const PAUSE_ACTION = 'send_pause';
export const RESUME_ACTION = 'send_resume';
export const STOP_ACTION = 'send_stop';
export const CANCEL_ACTION = 'send_cancel';
export const RETRY_UNKNOWN_ACTION = 'send_retry_unknown';
export const LEAVE_ACTION = 'send_leave';
export const WAIT_ACTION = 'send_wait';

const CAUSES_SHOWN = 3;
const SHOWN_TEXT = 120;

/** Stands in the progress message and in no other. */
export function progressMark(sendId: string): string {
  return `progress:${sendId}`;
}

/** What of a progress the channel sees. */
export interface ShownProgress extends Speed {
  readonly send: Send;
  readonly failures?: readonly FailureGroup[];
  /** Herald is stopping in the middle of it. */
  readonly restarting?: boolean;
  /** Sends that try some of its recipients again: those are not offered here any more, but there. */
  readonly retries?: readonly Send[];
}

/**
 * How far a send is: bar, recipients by outcome, rate, time left, and what can be done. Paused or stopped it says why, and
 * what each button does; ended it sums up.
 *
 * @param missing the channel that Herald could not post it in
 * @param answers what came back from customers and their phones, where webhooks tell
 */
export function progressCard(
  progress: ShownProgress,
  template: Template | undefined,
  missing?: string,
  answers?: AnswerSummary,
): Card {
  const { send, retries = [], failures = [] } = progress;
  const { counts } = send;
  const { mark, words } = stateOf(send);
  const headline = `${mark} *${whatSend(send, template)}*: ${words}`;
  const { settled, all } = tallyOf(counts);
  const why = haltText(progress);
  const text = `${headline.replaceAll('*', '')}, ${shown(settled)} of ${shown(all)}. Reference ${send.id}.`;
  return {
    text,
    blocks: [
      {
        ...section(`${headline}\n${literalMrkdwn(inShort(send, template), SHOWN_TEXT)}`),
        block_id: progressMark(send.id),
      },
      section(`${bar(settled, all)}  ${percent(settled, all)} · ${shown(settled)} of ${shown(all)}`),
      section(countLines(counts)),
      ...answerBlocks(answers),
      ...(why === undefined ? [] : [section(why)]),
      // Who was left out before the start is on the approval card.
      ...causeBlocks(
        failures.filter(({ state }) => state !== 'skipped'),
        CAUSES_SHOWN,
      ),
      ...(retries.length === 0 ? [] : [context(retries.map(retryLine).join('\n'))]),
      ...actions([...progressButtons(send, counts, retries), ...templateButtons(send.message, send.reason)]),
      context([...pace(progress), `By ${mention(send.origin.userId)}`, `Reference ${send.id}`].join(' · ')),
      ...(missing === undefined ? [] : [directNote(missing)]),
    ],
  };
}

function percent(done: number, all: number): string {
  return `${all === 0 ? 100 : Math.floor((done / all) * 100)} %`;
}

/** Recipients by outcome, as far as there are any. */
export function countLines(counts: RecipientCounts): string {
  const lines = Object.entries(RECIPIENT_STATES).flatMap(([state, { mark, words }]) => {
    const count = counts[state as RecipientState];
    return count > 0 ? [`${mark} *${shown(count)}* ${words}`] : [];
  });
  return lines.length === 0 ? 'Nobody is left to send to.' : lines.join('\n');
}

function pace({ send, perSecond, remainingMs, restarting }: ShownProgress): string[] {
  if (send.state !== 'sending' || restarting === true) return [];
  const rate = perSecond >= 10 ? Math.round(perSecond) : Math.round(perSecond * 10) / 10;
  return [
    ...(perSecond > 0 ? [`${shown(rate)} a second`] : []),
    ...(remainingMs === undefined ? [] : [`${duration(remainingMs)} left`]),
  ];
}

/** Why it stands still, and what comes next. */
function haltText({ send, restarting, stalled }: ShownProgress): string | undefined {
  if (send.state !== 'sending') return reasonText(send);
  const left = shown(send.counts.pending + send.counts.attempting);
  if (restarting === true)
    return `🔄 Herald is being restarted: *${left}* left. It goes on by itself as soon as Herald runs again. If that takes long, it asks before it goes on.`;
  if (stalled !== true) return undefined;
  return '⚠️ Herald cannot write to its database, so it sends to nobody until it can. Tell whoever runs Herald to look at the database and its disk; it goes on by itself then.';
}

export const REST_GETS_NOTHING = 'Those who were not tried yet get nothing from this send.';

/** Why it does not go on, and what the buttons do about it. */
export function reasonText({ state, reason, resumeAt, counts }: Send): string | undefined {
  const lines = reason === undefined ? [] : [whyText(reason, 1500)];
  if (state === 'paused')
    lines.push(
      resumeAt === undefined
        ? '*Resume* goes on with those who were not tried yet; *Stop* ends it for good, and they get nothing.'
        : '*Stop* ends it for good: those who were not tried yet then get nothing.',
    );
  else if (state !== 'stopped') return undefined;
  else if (counts.pending > 0) lines.push(REST_GETS_NOTHING);
  return lines.length === 0 ? undefined : lines.join('\n');
}

/**
 * Asks, where whoever asked for the send is told of it, what to do with the rest that quiet hours hold back. Undefined
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

/** What can be done about a send that has been approved. Also used where one send is shown in full. */
export function progressButtons(
  send: Send,
  counts: RecipientCounts,
  retries: readonly Send[],
): types.Button[] {
  const stop = stopButton({ ...send, counts });
  switch (send.state) {
    case 'sending':
      return [button(PAUSE_ACTION, 'Pause', send.id), stop];
    case 'paused':
      // What is held back goes on by itself, and not before: a button for it would only be refused.
      if (send.resumeAt !== undefined) return [stop];
      return [button(RESUME_ACTION, 'Resume', send.id, { style: 'primary' }), stop];
    case 'scheduled':
    case 'approved':
      return [cancelButton(send)];
    case 'done':
    case 'stopped':
      return [...retryButtons(send, counts, retries), ...likeThisButtons(send)];
    default:
      return [];
  }
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

/** Why recipients got nothing, or may have, most frequent first, with what to do next. */
export function causeBlocks(failures: readonly FailureGroup[], most: number): types.SectionBlock[] {
  if (failures.length === 0) return [];
  const more = failures.length > most ? [`… and ${failures.length - most} more causes.`] : [];
  const title = '*Who got nothing, or may have, by cause*';
  return [title, ...causeLines(failures, most), ...more].map((line) => section(line));
}

/** Asks what to do about those of whom nobody knows. Undefined when there are none. */
export function unknownCard(send: Send): Card | undefined {
  const { unknown } = send.counts;
  if (unknown === 0) return undefined;
  const sentence = `❓ *${people(unknown)}* may or may not have received this. Herald does not send to them again by itself; those of whom a delivery report tells are no longer among them.`;
  return {
    text: sentence.replaceAll('*', ''),
    blocks: [
      { ...section(sentence), block_id: `unknown:${send.id}` },
      ...actions(unknownButtons(send, unknown)),
    ],
  };
}

export function unknownButtons(send: Send, unknown: number): types.Button[] {
  return [
    button(RETRY_UNKNOWN_ACTION, 'Retry unknown', send.id, {
      style: 'danger',
      question: {
        title: `Send again to ${people(unknown)}?`,
        text: 'They may have it already: this may reach people twice. Your name is kept with this choice.',
        yes: 'Send again',
      },
    }),
    button(LEAVE_ACTION, 'Leave', send.id),
  ];
}
