import type { ReceiverEvent } from '@slack/bolt';
import type { Clock } from '../../core/clock.ts';
import type { Logger } from '../../core/logger.ts';
import { LATE, within } from '../../core/within.ts';
import { REMEMBER_MS } from './deliveries.ts';
import { type PayloadKind, payloadKind } from './payload.ts';

/** Slack waits three seconds for an answer, and most of them are the handler's. */
const WAIT_MS = 500;

/**
 * Suggestions change nothing, and come with every letter that is typed. An event comes again until it is acknowledged, and
 * whoever had it first may have died before it was done.
 */
const UNASKED: ReadonlySet<PayloadKind> = new Set(['block_suggestion', 'event']);

/** True for the process that may run a delivery; see `Notes.claim`. */
export type ClaimDelivery = (key: string, keepMs: number) => Promise<boolean>;

/**
 * Of several processes that are handed the same delivery one runs it. When the store does not say in time, it is run:
 * what changes anything is idempotent by its own key besides.
 */
export function createFirstDelivery(claim: ClaimDelivery, clock: Clock, logger: Logger) {
  return async ({ body, customProperties }: ReceiverEvent): Promise<boolean> => {
    const key = customProperties?.deliveryKey;
    if (typeof key !== 'string' || UNASKED.has(payloadKind(body))) return true;
    const first = claim(`delivery:${key}`, REMEMBER_MS).catch((error: unknown) => {
      logger.warn({ error }, 'whether a delivery came before is not known; it is run');
      return true;
    });
    const isFirst = await within(first, WAIT_MS, clock);
    return isFirst === LATE || isFirst;
  };
}
