import { pages } from '../../core/pages.ts';
import { isPseudonym } from '../../messages/numbers/pseudonym.ts';
import type { BulkRequest, Refusal } from '../bulk.ts';
import type { SendReader } from '../ports.ts';
import type { RecipientRow, RecipientState, RetryGroup, Send } from '../send.ts';
import type { TriedAgain } from './request.ts';
import * as say from './sentences.ts';

const PAGE = 5_000;

/** The states of each group. Of a send that has ended, only a report moves a recipient from one to another, or out of all. */
const GROUP_STATES: Readonly<Record<RetryGroup, readonly RecipientState[]>> = {
  failed: ['not_sent', 'rejected'],
  unknown: ['unknown'],
  untried: ['pending'],
};

/** How many recipients a retry of this group would have. */
function sizeOf(group: RetryGroup, counts: Send['counts']): number {
  return GROUP_STATES[group].reduce((sum, state) => sum + counts[state], 0);
}

/** Why this group cannot be retried now. */
export function whyNoRetry({ state, counts, removedAt }: Send, group: RetryGroup): Refusal | undefined {
  const hasEnded = (state === 'done' || state === 'stopped') && counts.attempting === 0;
  if (!hasEnded) return say.NOT_ENDED;
  if (removedAt !== undefined) return say.REMOVED;
  return sizeOf(group, counts) === 0 ? say.NOTHING_TO_RETRY : undefined;
}

/** The request for a retry of one group of a send's recipients. */
export function retryOf(
  send: Send & Required<Pick<Send, 'audience'>>,
  group: RetryGroup,
  by: Pick<BulkRequest, 'origin' | 'requestKey'>,
  { store, now }: { readonly store: Pick<SendReader, 'recipients'>; readonly now: number },
): { readonly asked: BulkRequest; readonly again: TriedAgain } {
  const { message, audience, startAt } = send;
  return {
    asked: {
      ...by,
      message,
      audienceId: audience.id,
      // Present when the send was stopped before its start.
      ...(startAt !== undefined && startAt > now && { startAt }),
    },
    again: { retryOf: send.id, retryGroup: group, recipients: recipientsIn(send.id, group, store) },
  };
}

async function* recipientsIn(
  sendId: string,
  group: RetryGroup,
  store: Pick<SendReader, 'recipients'>,
): TriedAgain['recipients'] {
  for await (const rows of pages((last?: RecipientRow) => store.recipients(sendId, last?.row ?? -1, PAGE))) {
    // Those that retention removed since the retry was allowed are nobody's number any more.
    const wanted = rows.filter(
      ({ state, number }) => GROUP_STATES[group].includes(state) && !isPseudonym(number),
    );
    yield wanted.map(({ row, number, values = [] }) => ({ row, number, values }));
  }
}
