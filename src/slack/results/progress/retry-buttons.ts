import type { types } from '@slack/bolt';
import type { RecipientCounts, RetryGroup, Send } from '../../../sends/send.ts';
import { button } from '../../kit/blocks/blocks.ts';
import { people, RETRY_GROUPS, shown } from '../../kit/cards/words.ts';

export const RETRY_FAILED_ACTION = 'send_retry_failed';
export const SEND_TO_REST_ACTION = 'send_to_rest';

/** For whom another send can be asked for: nobody twice, and nobody who may still be reached by this one. */
export function retryButtons(
  send: Send,
  { rejected, not_sent, pending, attempting }: RecipientCounts,
  retries: readonly Send[],
): types.Button[] {
  if (attempting > 0) return [];
  const failed = isTriedAgain(retries, 'failed') ? 0 : rejected + not_sent;
  const untried = isTriedAgain(retries, 'untried') ? 0 : pending;
  return [
    ...(untried === 0
      ? []
      : [
          button(SEND_TO_REST_ACTION, `Send to the remaining ${shown(untried)}`, send.id, {
            question: {
              title: `Send to ${people(untried)}?`,
              text: 'Only those who were not tried. It is a send of its own, approved like any other.',
              yes: 'Send to them',
            },
          }),
        ]),
    ...(failed === 0
      ? []
      : [
          button(RETRY_FAILED_ACTION, `Retry failed (${shown(failed)})`, send.id, {
            question: {
              title: `Send again to ${people(failed)}?`,
              text: 'Only those to whom nothing was sent. It is a send of its own, approved like any other.',
              yes: 'Retry failed',
            },
          }),
        ]),
  ];
}

/** True when another send goes to this group. */
export function isTriedAgain(retries: readonly Send[], group: RetryGroup): boolean {
  return retries.some(({ retryGroup }) => retryGroup === group);
}

/** Where a group of recipients has gone. */
export function retryLine({ id, retryGroup = 'failed' }: Send): string {
  return `Another send goes to ${RETRY_GROUPS[retryGroup]}: ${id}.`;
}
