/*
 * Bounds automatic retries to a share of what is sent, so that an outage is not answered with three times the
 * load. A full budget allows 20 retries at once, and each request earns a tenth of one back; counted in tenths,
 * because fractions of ten do not add up to one.
 */
const RETRY_COSTS = 10;
const EARNED_PER_REQUEST = 1;
const MOST = 20 * RETRY_COSTS;

export interface RetryBudget {
  /** Notes a first attempt. */
  earn(): void;
  /** Takes one retry from the budget; false when there is none left. */
  spend(): boolean;
}

export function createRetryBudget(): RetryBudget {
  let left = MOST;
  return {
    earn: () => {
      left = Math.min(MOST, left + EARNED_PER_REQUEST);
    },
    spend: () => {
      if (left < RETRY_COSTS) return false;
      left -= RETRY_COSTS;
      return true;
    },
  };
}
