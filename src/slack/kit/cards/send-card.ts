import type { types } from '@slack/bolt';
import { KINDS, kindOf } from '../../../messages/kinds.ts';
import { maskNumber } from '../../../messages/numbers/phone-number.ts';
import type { Template } from '../../../messages/templates/template.ts';
import { type Failure, MAY_HAVE_BEEN_SENT } from '../../../sends/outcome.ts';
import type { AnswerSummary } from '../../../sends/replies/ports.ts';
import type { RecipientRow, RecipientState, SendReport } from '../../../sends/send.ts';
import { escapeMrkdwn } from '../../connection/escape.ts';
import { LIMITS } from '../../connection/limits.ts';
import { context, mention, moment, mrkdwn, section } from '../blocks/mrkdwn.ts';
import { createRoom } from '../blocks/room.ts';
import { answerBlocks } from './answer-summary.ts';
import { whatHappened } from './failure.ts';
import { templateButtons } from './look-button.ts';
import { messageBlocks, wordsNote } from './message-blocks.ts';

/** A message for Slack: blocks for eyes, and one whole text for notifications and screen readers. */
export interface Card {
  readonly text: string;
  readonly blocks: types.KnownBlock[];
}

/** The outcome in words, after the kind's name, and the mark that is seen first. */
export const STATE_WORDS: Readonly<
  Record<RecipientState, { readonly mark: string; readonly words: string }>
> = {
  pending: { mark: '⏳', words: 'sending…' },
  attempting: { mark: '⏳', words: 'sending…' },
  accepted: { mark: '✅', words: 'accepted by the service' },
  rejected: { mark: '⛔', words: 'rejected, nothing was sent' },
  not_sent: { mark: '⚠️', words: 'not sent' },
  unknown: { mark: '❓', words: 'it may have been sent' },
  skipped: { mark: '➖', words: 'skipped, nothing was sent' },
};

/** Characters for the message, of the 12,000 that Slack takes; the rest is for what stands around it. */
const MESSAGE_ROOM = 5_000;
const SHOWN_VALUE = 300;
const SHOWN_SENTENCES = 900;

/**
 * The card of a send with one recipient: what became of it, what was sent, to whom and by whom; on failure what
 * happened, whether it may have been sent, and what to do next. Numbers are masked and one-time passwords absent.
 *
 * @param answers what came back from the customer, where webhooks tell
 * @param direct true when the person is told directly, because Herald may not post where they asked
 */
export function renderCard(
  report: SendReport,
  template: Template | undefined,
  { direct, answers }: { readonly direct: boolean; readonly answers?: AnswerSummary | undefined },
): Card {
  const { recipient } = report;
  const failed = failureOf(recipient);
  const room = createRoom(MESSAGE_ROOM);
  const message = messageBlocks(report.send.message, template, room);
  const look = templateButtons(report.send.message, recipient.failure);
  return {
    text: sentenceOf(report, template),
    blocks: [
      section(`${STATE_WORDS[recipient.state].mark} *${headline(report, template)}*`),
      ...(failed ? [section(failureText(failed))] : []),
      ...message,
      ...wordsNote(report.send, template),
      ...(room.left() > 0 ? [context(`${room.left()} parts of it are too long to be shown here.`)] : []),
      fieldsBlock(report),
      ...(look.length > 0 ? [{ type: 'actions' as const, elements: look }] : []),
      ...answerBlocks(answers),
      smallPrint(report),
      ...(direct ? [directNote(report.send.origin.channelId)] : []),
    ],
  };
}

function headline({ send, recipient }: SendReport, template: Template | undefined): string {
  const label = template ? ` “${escapeMrkdwn(template.label, SHOWN_VALUE)}”` : '';
  return `${KINDS[send.kind].title}${label}: ${STATE_WORDS[recipient.state].words}`;
}

interface Failed {
  readonly failure: Failure;
  /** Whether the customer may have received something. */
  readonly sent: string;
}

function failureOf({ state, failure }: RecipientRow): Failed | undefined {
  if (failure === undefined) return undefined;
  if (state !== 'rejected' && state !== 'not_sent' && state !== 'unknown') return undefined;
  return { failure, sent: MAY_HAVE_BEEN_SENT[state] };
}

function failureText({ failure, sent }: Failed): string {
  const next = escapeMrkdwn(failure.next, SHOWN_SENTENCES);
  const what = whatHappened(failure, SHOWN_SENTENCES);
  return `*What happened:* ${what}\n*Was it sent?* ${sent}\n*What to do next:* ${next}`;
}

function fieldsBlock({ send, recipient }: SendReport): types.SectionBlock {
  const facts = [
    { label: 'To', value: maskNumber(recipient.number) },
    ...kindOf(send.message).facts(send.message),
  ];
  return {
    type: 'section',
    fields: facts
      .slice(0, LIMITS.sectionFields)
      .map(({ label, value }) => mrkdwn(`*${label}*\n${escapeMrkdwn(value, SHOWN_VALUE)}`)),
  };
}

/** Who, when, and what one would quote to the service's support. */
function smallPrint({ send, recipient }: SendReport): types.ContextBlock {
  const { failure } = recipient;
  const status = failure?.status ?? recipient.status;
  const parts = [
    `By ${mention(send.origin.userId)}`,
    moment(recipient.settledAt ?? recipient.attemptedAt ?? send.createdAt),
    `Reference ${send.id}`,
    ...(recipient.messageId === undefined
      ? []
      : [`Message id ${escapeMrkdwn(recipient.messageId, SHOWN_VALUE)}`]),
    ...(failure?.code === undefined ? [] : [`Code ${escapeMrkdwn(failure.code, SHOWN_VALUE)}`]),
    ...(status === undefined ? [] : [`HTTP ${status}`]),
    ...(failure?.field === undefined ? [] : [`Field ${escapeMrkdwn(failure.field, SHOWN_VALUE)}`]),
  ];
  return context(parts.join(' · '));
}

export function directNote(channelId: string): types.ContextBlock {
  return context(
    `Herald could not post this in <#${escapeMrkdwn(channelId)}>, where you asked for it. ` +
      'To get results there, invite Herald to it.',
  );
}

/** The whole result as sentences: what a notification shows and a screen reader reads. */
export function sentenceOf(report: SendReport, template: Template | undefined): string {
  const { send, recipient } = report;
  const failed = failureOf(recipient);
  const said = failed
    ? ` ${whatHappened(failed.failure, SHOWN_SENTENCES)} ${failed.sent} ${escapeMrkdwn(failed.failure.next, SHOWN_SENTENCES)}`
    : '';
  const first = `${headline(report, template)}, to ${maskNumber(recipient.number)}, asked for by ${mention(send.origin.userId)}.`;
  return `${STATE_WORDS[recipient.state].mark} ${first}${said} Reference ${send.id}.`;
}
