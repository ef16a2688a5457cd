import type { SendReader } from '../../../sends/ports.ts';
import { actorOf, givenBy, lastInto, stateOf } from '../../kit/cards/words.ts';

/**
 * Tells somebody who decides too late how the send stands, by whom and since when, as mrkdwn. Undefined while it still
 * waits for approval.
 */
export async function howItEnded(
  sendId: string,
  store: Pick<SendReader, 'find' | 'events' | 'approvals'>,
): Promise<string | undefined> {
  const send = await store.find(sendId);
  if (send === undefined || send.state === 'awaiting_approval') return undefined;
  const event = lastInto(send.state, await store.events(sendId));
  const when = event ? ` ${actorOf(event)}` : '';
  const approvals = await store.approvals(sendId);
  const approved = approvals.length === 0 ? '' : ` It was approved by ${givenBy(approvals)}.`;
  return `Too late: ${sendId} is ${stateOf(send).words}${when}.${approved} Your answer changed nothing.`;
}
