/**
 * Bounds automatic retries to a share of what is sent, so that an outage is not answered with three times the
 * load. A full budget allows `MOST` retries at once; each request earns a tenth of one back.
 */
const MOST = 20;
const EARNED_PER_REQUEST = 0.1;

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
      if (left < 1) return false;
      left -= 1;
      return true;
    },
  };
}
