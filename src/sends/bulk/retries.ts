import type { BulkRequest, Refusal } from '../bulk.ts';
import type { SendStore } from '../ports.ts';
import type { RecipientState, RetryGroup, Send } from '../send.ts';
import type { TriedAgain } from './request.ts';
import * as say from './sentences.ts';

const PAGE = 5_000;

/** Recipients in these states make up a group. Once nothing of a send is on its way, none changes its group any more. */
const GROUP_STATES: Readonly<Record<RetryGroup, readonly RecipientState[]>> = {
  failed: ['not_sent', 'rejected'],
  unknown: ['unknown'],
  untried: ['pending'],
};

/** How many recipients another send to this group would go to. */
function sizeOf(group: RetryGroup, counts: Send['counts']): number {
  return GROUP_STATES[group].reduce((sum, state) => sum + counts[state], 0);
}

/** Why nobody of this group can be tried again now. */
export function whyNoRetry({ state, counts }: Send, group: RetryGroup): Refusal | undefined {
  const hasEnded = (state === 'done' || state === 'stopped') && counts.attempting === 0;
  if (!hasEnded) return say.NOT_ENDED;
  return sizeOf(group, counts) === 0 ? say.NOTHING_TO_RETRY : undefined;
}

/** What asks for another send as `send` was, to one group of its recipients. */
export function retryOf(
  send: Send & Required<Pick<Send, 'audience'>>,
  group: RetryGroup,
  by: Pick<BulkRequest, 'origin' | 'requestKey'>,
  { store, now }: { readonly store: Pick<SendStore, 'recipients'>; readonly now: number },
): { readonly asked: BulkRequest; readonly again: TriedAgain } {
  const { message, audience, startAt } = send;
  return {
    asked: {
      ...by,
      message,
      audienceId: audience.id,
      // One that was stopped before its time is not meant for now.
      ...(startAt !== undefined && startAt > now && { startAt }),
    },
    again: { retryOf: send.id, retryGroup: group, recipients: recipientsIn(send.id, group, store) },
  };
}

async function* recipientsIn(
  sendId: string,
  group: RetryGroup,
  store: Pick<SendStore, 'recipients'>,
): TriedAgain['recipients'] {
  for (let after = -1; ; ) {
    const rows = await store.recipients(sendId, after, PAGE);
    const last = rows.at(-1);
    if (last === undefined) return;
    const wanted = rows.filter(({ state }) => GROUP_STATES[group].includes(state));
    yield wanted.map(({ row, number, values = [] }) => ({ row, number, values }));
    after = last.row;
  }
}
