import type { KnownBlock } from '@slack/types';
import { KINDS } from '../../messages/kinds.ts';
import type { Delivery, StoredCustomerEvent } from '../../sends/replies/ports.ts';
import type { SendReport } from '../../sends/send.ts';
import { literalMrkdwn } from '../connection/escape.ts';
import { context, mention, moment, saying, section } from '../kit/blocks/blocks.ts';
import { masked } from '../kit/cards/answer-control.ts';
import { becameOfOne } from '../kit/cards/listed-sends.ts';
import { inShort, SEND_STATES } from '../kit/cards/words.ts';
import { lookButton } from './list-message.ts';

const SHOWN_TEXT = 300;

/** What was to go to one number, with what was reported of it. */
interface SentToNumber extends SendReport {
  readonly delivery: Delivery | undefined;
}

export interface NumberHistory {
  /** As this person may see it. */
  readonly number: string;
  readonly sent: readonly SentToNumber[];
  readonly answers: readonly StoredCustomerEvent[];
  /** There is more of either than is shown. */
  readonly more: boolean;
  /** Only the person's own sends were looked through. */
  readonly own: boolean;
}

/** What was sent to a number and what it answered, newest first, as one conversation. */
export function numberMessage({ number, sent, answers, more, own }: NumberHistory) {
  const lines = [
    ...sent.map((one) => ({ at: timeOf(one), blocks: [sentBlock(one)] })),
    ...answers.map((one) => ({ at: one.receivedAt, blocks: answerBlocks(one) })),
  ].toSorted((one, other) => other.at - one.at);
  const whose = own ? ' in your sends' : '';
  const text =
    lines.length === 0
      ? `There is nothing to or from ${number}${whose}.`
      : `What was sent to ${number} and what it answered${whose}, newest first:`;
  const notes = [
    ...(more ? ['Older ones are not shown.'] : []),
    ...(own ? ['Approvers, and who `access.reports` of herald.yml lists, see the sends of all.'] : []),
  ];
  return {
    text,
    blocks: [
      section(text),
      ...lines.flatMap(({ blocks }) => blocks),
      ...(notes.length === 0 ? [] : [context(notes.join(' '))]),
    ] satisfies KnownBlock[],
  };
}

function timeOf({ send, recipient }: SendReport): number {
  return recipient.settledAt ?? recipient.attemptedAt ?? send.createdAt;
}

function sentBlock(report: SentToNumber): KnownBlock {
  const { send, recipient, delivery } = report;
  const was = (...statuses: Delivery['status'][]) => (delivery && statuses.includes(delivery.status) ? 1 : 0);
  const reached = { delivered: was('delivered', 'read'), read: was('read'), failed: was('failed') };
  const isWaiting = recipient.state === 'pending' && send.state !== 'sending';
  const { mark, words } = isWaiting ? SEND_STATES[send.state] : becameOfOne(recipient.state, reached);
  const text = [
    `${mark} *${KINDS[send.kind].title}*: ${words}`,
    literalMrkdwn(inShort(send), SHOWN_TEXT),
    `${send.id} · ${mention(send.origin.userId)} · ${moment(timeOf(report))}`,
  ].join('\n');
  return { ...section(text), accessory: lookButton(report) };
}

/** What a customer wrote is foreign, and may name other numbers: nothing in it formats. */
function answerBlocks({ event, label, sendId, receivedAt }: StoredCustomerEvent): KnownBlock[] {
  const said =
    event.kind === 'reply'
      ? (label ?? event.title ?? event.replyId)
      : event.kind === 'address'
        ? 'gave an address'
        : event.text;
  const to = sendId === undefined ? '' : ` · to ${sendId}`;
  return [saying(`💬 ${masked(said, SHOWN_TEXT)}`), context(`Answered ${moment(receivedAt)}${to}`)];
}
