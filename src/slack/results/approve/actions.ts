import type { Refusal } from '../../../sends/bulk.ts';
import type { ApprovalResult, SendReader } from '../../../sends/ports.ts';
import type { Send } from '../../../sends/send.ts';
import { escapeMrkdwn } from '../../connection/escape.ts';
import { LIMITS } from '../../connection/limits.ts';
import {
  answerClick,
  clickerOf,
  isRefusal,
  NO_SUCH_SEND,
  readSendValue,
  refusalText,
} from '../../kit/clicks/answering.ts';
import type { ClickHandler } from '../../kit/clicks/arguments.ts';
import { EDITABLE } from './card.ts';
import type { Approving } from './dependencies.ts';
import { howItEnded } from './how-it-ended.ts';

export const handleApprove: ClickHandler<Approving> = async (args, approving) => {
  const { sendId, digest, more: warnings } = readSendValue(args.action.value ?? '');
  const result = await approving.bulkSends.approve({ sendId, digest, warnings, ...clickerOf(args) });
  await answerClick(args, await approvedText(sendId, digest, result, approving));
};

async function approvedText(
  sendId: string,
  digest: string,
  result: ApprovalResult | Refusal,
  { store }: Approving,
): Promise<string> {
  if (result.state === 'refused') return (await howItEnded(sendId, store)) ?? refusalText(result);
  if (result.state === 'too_late') return tooLateText(result.send, digest, store);
  const needed = (await store.find(sendId))?.approval?.needed ?? result.approvals.length;
  const count = `It has ${result.approvals.length} of ${needed} approvals`;
  if (result.state === 'repeated') return `You have approved ${sendId} before. ${count}.`;
  return result.complete
    ? `You approved ${sendId}. It has all its approvals.`
    : `You approved ${sendId}. ${count}, and waits for the others.`;
}

/** Tells the loser of a race how it ended, by whom and when. */
async function tooLateText(
  { id, state, digest: current }: Send,
  digest: string,
  store: Pick<SendReader, 'find' | 'events' | 'approvals'>,
): Promise<string> {
  if (state === 'awaiting_approval' && current !== digest)
    return `${id} was changed after this card was shown. Your approval was not counted and nothing was sent. Look at the card as it is now.`;
  return (
    (await howItEnded(id, store)) ?? `${id} no longer waits for approval. Your approval was not counted.`
  );
}

/** With other words, or for others, it would be a send that nobody has asked for yet. */
function retryStands({ id, retryOf = '' }: Send): string {
  return `${id} tries the message of ${retryOf} again as it was, for exactly those named on its card, so it cannot be edited. Nothing was changed. Ask for a new send; \`/sends ${id}\` withdraws this one if it still waits.`;
}

/** Takes the send back and opens its form. One of one's own that came to nothing is only opened again. */
export const handleEdit: ClickHandler<Approving> = async (args, approving) => {
  const { sendId } = readSendValue(args.action.value ?? '');
  const { userId } = clickerOf(args);
  const send = await approving.store.find(sendId);
  if (send === undefined) return answerClick(args, NO_SUCH_SEND);
  if (send.retryOf !== undefined) return answerClick(args, retryStands(send));
  const mine = EDITABLE.has(send.state) && send.origin.userId === userId;
  const taken = mine ? send : await approving.bulkSends.withdraw({ sendId, userId });
  if (isRefusal(taken)) return answerClick(args, refusalText(taken));
  const problem = await approving.onEdit(taken, args.body.trigger_id);
  if (problem) {
    await answerClick(
      args,
      `${sendId} is withdrawn; nothing was sent. ${escapeMrkdwn(problem, LIMITS.sectionText)} \`/sends ${sendId}\` has a button that opens it.`,
    );
  }
};
