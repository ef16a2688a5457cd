import { z } from 'zod';
import type { Clock } from '../../../core/clock.ts';
import { createExpiringMap, type ExpiringMap } from '../../../core/expiring-map.ts';
import { LATE } from '../../../core/within.ts';
import type { Msisdn } from '../../../messages/numbers/phone-number.ts';
import { notAnyMore, ONLY_REQUESTER } from '../../../sends/bulk/sentences.ts';
import type { Refusal } from '../../../sends/bulk.ts';
import type { ApprovalResult } from '../../../sends/ports.ts';
import type { Send } from '../../../sends/send.ts';
import { readCarried } from '../../connection/carried.ts';
import { escapeMrkdwn } from '../../connection/escape.ts';
import { LIMITS } from '../../connection/limits.ts';
import { input, modal, section, textInput } from '../../kit/blocks/blocks.ts';
import { givenBy } from '../../kit/cards/words.ts';
import {
  answerClick,
  clickerOf,
  isRefusal,
  NO_SUCH_SEND,
  notify,
  openForClick,
  readSendValue,
  refusalText,
} from '../../kit/clicks/answering.ts';
import type { ClickHandler, SubmissionHandler } from '../../kit/clicks/arguments.ts';
import { FIELD_ACTION } from '../../kit/forms/form-blocks.ts';
import { valueAt } from '../../kit/forms/path.ts';
import { readState } from '../../kit/forms/read-state.ts';
import type { SlackServices } from '../../kit/services.ts';
import { answerLate, showing } from '../../kit/views/answer-late.ts';
import { howItStands } from '../standing.ts';
import { EDITABLE } from './card.ts';

/* People decide about a send that waits: they approve it, reject it or take it back, or edit it. */

/** The handlers of sends to many work with these. */
export interface ResultServices extends SlackServices {
  /** Opens a send that was taken back as a form; returns a sentence when that failed. */
  readonly onEdit: (send: Send, triggerId: string) => Promise<string | undefined>;
  /** The number each person had their last test sent to; kept in memory only. */
  readonly testNumbers: ExpiringMap<Msisdn>;
}

const NUMBERS_KEPT_MS = 30 * 24 * 60 * 60_000;
const NUMBERS_KEPT = 1_000;

export function createTestNumbers(clock: Clock): ResultServices['testNumbers'] {
  return createExpiringMap(NUMBERS_KEPT_MS, NUMBERS_KEPT, clock);
}

export const handleApprove: ClickHandler<ResultServices> = async (args, services) => {
  const { sendId, digest, more } = readSendValue(args.action.value ?? '');
  const [repeats = '', ...warnings] = more.split('.');
  const seen = { sendId, digest, repeats, warnings: warnings.join('.') };
  const result = await services.bulkSends.approve({ ...seen, ...clickerOf(args) });
  await answerClick(args, await approvedText(sendId, digest, result, services));
};

async function approvedText(
  sendId: string,
  digest: string,
  result: ApprovalResult | Refusal,
  { store }: ResultServices,
): Promise<string> {
  if (result.state === 'refused') return (await howItEnded(sendId, store)) ?? refusalText(result);
  if (result.state === 'too_late') {
    const { id, state, digest: current } = result.send;
    if (state === 'awaiting_approval' && current !== digest)
      return `${id} was changed after this card was shown. Your approval was not counted and nothing was sent. Look at the card as it is now.`;
    const ended = await howItEnded(id, store);
    return ended ?? `${id} no longer waits for approval. Your approval was not counted.`;
  }
  const needed = (await store.find(sendId))?.approval?.needed ?? result.approvals.length;
  const count = `It has ${result.approvals.length} of ${needed} approvals`;
  if (result.state === 'repeated') return `You have approved ${sendId} before. ${count}.`;
  return result.complete
    ? `You approved ${sendId}. It has all its approvals.`
    : `You approved ${sendId}. ${count}, and waits for the others.`;
}

/** Says to whoever decides too late how the send stands, by whom and since when, as mrkdwn. Undefined while it still waits. */
async function howItEnded(sendId: string, store: ResultServices['store']): Promise<string | undefined> {
  const send = await store.find(sendId);
  if (send === undefined || send.state === 'awaiting_approval') return undefined;
  const approvals = await store.approvals(sendId);
  const approved = approvals.length === 0 ? '' : ` It was approved by ${givenBy(approvals)}.`;
  return `Too late: ${sendId} is ${await howItStands(send, store)}.${approved} Your answer changed nothing.`;
}

/** With other words, or for others, it would be a send that nobody has asked for yet. */
function retryStands({ id, retryOf = '' }: Send): string {
  return `${id} tries the message of ${retryOf} again as it was, for exactly those named on its card, so it cannot be edited. Nothing was changed. Ask for a new send; \`/sends ${id}\` withdraws this one if it still waits.`;
}

/** Opens a form with what was asked for. Until that is handed in, the send stays as it is. */
export const handleEdit: ClickHandler<ResultServices> = async (args, services) => {
  const { sendId } = readSendValue(args.action.value ?? '');
  const send = await services.store.find(sendId);
  if (send === undefined) return answerClick(args, NO_SUCH_SEND);
  if (send.retryOf !== undefined) return answerClick(args, retryStands(send));
  if (send.origin.userId !== clickerOf(args).userId) return answerClick(args, refusalText(ONLY_REQUESTER));
  if (!EDITABLE.has(send.state)) return answerClick(args, refusalText(notAnyMore(send)));
  const problem = await services.onEdit(send, args.body.trigger_id);
  if (problem) await answerClick(args, escapeMrkdwn(problem, LIMITS.sectionText));
};

export const REJECTION_VIEW = 'approval_rejection';
const REASON_FIELD = 'reason';
const REASON_MAX_CHARACTERS = 500;

const metadataSchema = z.object({
  sendId: z.string(),
  channelId: z.string(),
  own: z.boolean().default(false),
});

/** Asks why. Who asked does not reject: they take their request back, and owe nobody a reason. */
export const openRejection: ClickHandler<ResultServices> = async (args, { store }) => {
  const { sendId } = readSendValue(args.action.value ?? '');
  const { id: userId } = args.body.user;
  const own = (await store.find(sendId))?.origin.userId === userId;
  const metadata = JSON.stringify({ sendId, channelId: args.body.channel?.id ?? userId, own });
  await openForClick(
    args,
    modal({ callbackId: REJECTION_VIEW, metadata, ...(own ? withdrawal(sendId) : rejection(sendId)) }),
  );
};

function withdrawal(sendId: string) {
  const text = `Nothing of ${sendId} was sent, and nothing will be. You can change it and ask again.`;
  return { title: 'Withdraw this send', submit: 'Withdraw', blocks: [section(text)] };
}

function rejection(sendId: string) {
  const element = textInput(FIELD_ACTION, { multiline: true, maxLength: REASON_MAX_CHARACTERS });
  const hint = `${sendId} then ends, and the person who asked is shown this.`;
  const blocks = [input(REASON_FIELD, 'Reason', element, { hint })];
  return { title: 'Reject this send', submit: 'Reject', blocks };
}

export const handleRejection: SubmissionHandler<ResultServices> = async (args, services) => {
  const { body, ack } = args;
  const { sendId, channelId, own } = readCarried(metadataSchema, body.view.private_metadata);
  const typed = valueAt(readState(body.view.state.values), REASON_FIELD);
  const reason = typeof typed === 'string' ? typed.trim() : '';
  if (reason === '' && !own) {
    return ack({
      response_action: 'errors',
      errors: { [REASON_FIELD]: 'Say why, so that the person who asked knows what to change.' },
    });
  }
  const { userId, teamId } = clickerOf(args);
  const rejecting = own
    ? services.bulkSends.withdraw({ sendId, userId })
    : services.bulkSends.reject({ sendId, userId, teamId, reason });
  const done = own ? 'withdrew' : 'rejected';
  const answers = {
    inTime: async (result: Send | Refusal) => {
      if (!isRefusal(result)) return LATE;
      const why = (await howItEnded(sendId, services.store)) ?? refusalText(result);
      return ack(showing(modal({ title: 'Nothing changed', blocks: [section(why)] })));
    },
    late: async (ended: Send | Refusal) => {
      const sentence = isRefusal(ended)
        ? `${ended.what} ${ended.next}`
        : `You ${done} ${sendId}. Nothing was sent.`;
      await notify(args.client, { channelId, userId }, sentence, services.logger);
      return {};
    },
  };
  await answerLate(args, rejecting, answers, services);
};
