import type { Clock } from '../../../core/clock.ts';
import { createExpiringMap } from '../../../core/expiring-map.ts';
import type { Logger } from '../../../core/logger.ts';
import type { BulkSends, ListReview } from '../../../sends/bulk.ts';

const KEPT_MS = 10 * 60_000;
const KEPT = 200;

type Asked = Parameters<BulkSends['review']>[0];

/** Counts for each form once what it asks, and of several questions only the newest to its end. */
export type Counting = (viewId: string, asked: Asked) => Promise<ListReview | undefined>;

export function createCounting(bulkSends: Pick<BulkSends, 'review'>, clock: Clock, logger: Logger): Counting {
  const latest = createExpiringMap<{
    readonly key: string;
    readonly stop: AbortController;
    readonly review: Promise<ListReview | undefined>;
  }>(KEPT_MS, KEPT, clock);
  return (viewId, asked) => {
    const key = JSON.stringify(asked);
    const before = latest.get(viewId);
    if (before?.key === key) return before.review;
    before?.stop.abort();
    const stop = new AbortController();
    const review = bulkSends.review(asked, stop.signal).catch((error: unknown) => {
      logger.warn({ error }, 'a list could not be counted for its review');
      return undefined;
    });
    latest.set(viewId, { key, stop, review });
    return review;
  };
}
