import type { types } from '@slack/bolt';
import { kindOf } from '../../../messages/kinds.ts';
import { maskNumber } from '../../../messages/numbers/phone-number.ts';
import type { Template } from '../../../messages/templates/template.ts';
import type { Failure } from '../../../sends/outcome.ts';
import type { Delivery } from '../../../sends/replies/ports.ts';
import type { RecipientRow, Send, SendReport } from '../../../sends/send.ts';
import { escapeMrkdwn, literalMrkdwn } from '../../connection/escape.ts';
import {
  actions,
  context,
  createRoom,
  factsSection,
  mention,
  moment,
  section,
  wholeSection,
} from '../blocks/blocks.ts';
import { type AfterOne, buttonsOfOne, sentAgainLine } from './again-buttons.ts';
import { answerBlocks } from './answers.ts';
import { messageBlocks, messageInShort, wordsNote } from './message-blocks.ts';
import { templateButtons } from './template-of.ts';
import { becameOfOne, whatHappened, whatIsSent } from './words.ts';

/** A message for Slack: blocks for eyes, and one whole text for notifications and screen readers. */
export interface Card {
  readonly text: string;
  readonly blocks: types.KnownBlock[];
}

/** Characters for the message, of the 12,000 that Slack takes; the rest is for what stands around it. */
const MESSAGE_ROOM = 5_000;
const SHOWN_VALUE = 300;
const SHOWN_SENTENCES = 900;

/** The surroundings of a card, and how much of the send it shows. */
export interface CardView extends AfterOne {
  /** True when the person gets it directly, because Herald may not post where they asked. */
  readonly direct: boolean;
  /** All that is known, as its record shows it to one person; otherwise the message in one line. */
  readonly inFull?: boolean;
  /** The latest report of the service. */
  readonly delivery?: Delivery | undefined;
}

/**
 * The card of a send with one recipient: what became of it, what was sent, to whom and by whom; on failure what
 * happened, whether it may have been sent, what to do next, and how. Numbers are masked and one-time passwords absent.
 */
export function renderCard(report: SendReport, template: Template | undefined, view: CardView): Card {
  const { send, recipient } = report;
  const { direct, answers, retries = [], inFull = false } = view;
  const failed = failureOf(recipient, view);
  const buttons = [
    ...buttonsOfOne(report, view, inFull),
    ...templateButtons(send.message, recipient.failure),
  ];
  return {
    text: sentenceOf(report, template, view),
    blocks: [
      section(headline(report, template, view)),
      // People must read it to its end, where it says what to do.
      ...(failed ? [wholeSection(failureText(failed, retries))] : []),
      ...(inFull ? wholeMessage(report, template) : messageInShort(send.message, template)),
      ...wordsNote(send, template),
      ...answerBlocks(answers),
      ...actions(buttons),
      smallPrint(report, inFull),
      ...(direct ? [directNote(send.origin.channelId)] : []),
    ],
  };
}

function wholeMessage(report: SendReport, template: Template | undefined): types.KnownBlock[] {
  const room = createRoom(MESSAGE_ROOM);
  return [
    ...messageBlocks(report.send.message, template, room),
    ...(room.left() > 0 ? [context(`${room.left()} parts of it are too long to be shown here.`)] : []),
    factsSection(kindOf(report.send.message).facts(report.send.message)),
  ];
}

/** It follows the message: accepted, delivered, read; and when. */
function headline(
  { send, recipient }: SendReport,
  template: Template | undefined,
  { answers, delivery }: Pick<CardView, 'answers' | 'delivery'>,
): string {
  const { mark, words } = becameOfOne(recipient.state, answers);
  const when = delivery === undefined || !answers?.delivered ? '' : ` ${moment(delivery.at)}`;
  return `${mark} *${whatIsSent(send, template)}: ${words}*${when}`;
}

/** Why it failed: as its attempt ended, or as the service reported later. */
function failureOf({ state, failure }: RecipientRow, { answers }: CardView): Failure | undefined {
  const hasFailed = state === 'rejected' || state === 'not_sent' || state === 'unknown';
  return hasFailed ? failure : answers?.failures[0]?.failure;
}

function failureText(failure: Failure, retries: readonly Send[]): string {
  const next = nextStep(failure, retries);
  const step = retries.length > 0 ? next : `*What to do next:* ${next}`;
  return `*What happened:* ${whatHappened(failure, SHOWN_SENTENCES)}\n${step}`;
}

/** Once somebody has sent it again, that is what is left to know. */
function nextStep({ next }: Failure, retries: readonly Send[]): string {
  return retries.length > 0 ? retries.map(sentAgainLine).join(' ') : escapeMrkdwn(next, SHOWN_SENTENCES);
}

/** Says to whom, by whom and when; in full also what one would quote to the service's support. */
function smallPrint({ send, recipient }: SendReport, inFull: boolean): types.ContextBlock {
  const parts = [
    `To ${maskNumber(recipient.number)}`,
    `By ${mention(send.origin.userId)}`,
    moment(recipient.settledAt ?? recipient.attemptedAt ?? send.createdAt),
    `Reference ${send.id}`,
    ...(send.retryOf === undefined ? [] : [`Sends ${send.retryOf} again`]),
    ...(inFull ? technicalParts(recipient) : []),
  ];
  return context(parts.join(' · '));
}

function technicalParts({ messageId, failure, status = failure?.status }: RecipientRow): string[] {
  const parts = [
    ['Message id', messageId],
    ['Code', failure?.code],
    ['HTTP', status],
    ['Field', failure?.field],
  ] as const;
  return parts.flatMap(([label, value]) =>
    value === undefined ? [] : [`${label} ${literalMrkdwn(String(value), SHOWN_VALUE)}`],
  );
}

/** Stands on a card that a person gets directly. @param channelId where Herald could not post it */
export function directNote(channelId: string): types.ContextBlock {
  return context(
    `Herald could not post this in <#${escapeMrkdwn(channelId)}>, where it was asked for. To see it there, invite Herald to it.`,
  );
}

/** The whole result as sentences: what a notification shows and a screen reader reads. */
function sentenceOf(report: SendReport, template: Template | undefined, view: CardView): string {
  const { send, recipient } = report;
  const failure = failureOf(recipient, view);
  const said = failure
    ? ` ${whatHappened(failure, SHOWN_SENTENCES)} ${nextStep(failure, view.retries ?? [])}`
    : '';
  const first = `${headline(report, template, view).replaceAll('*', '')}, to ${maskNumber(recipient.number)}`;
  return `${first}, asked for by ${mention(send.origin.userId)}.${said} Reference ${send.id}.`;
}
