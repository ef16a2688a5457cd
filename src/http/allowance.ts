import type { Clock } from '../core/clock.ts';

/** So much at once, and `perSecond` more as time goes by: of requests, or of bytes. */
export interface Allowance {
  /** Takes `amount` and returns 0, or takes nothing and returns after how many seconds there will be enough. */
  take(amount: number): number;
}

/** @param most taken at once; an `amount` must not be larger */
export function createAllowance(
  { most, perSecond }: { readonly most: number; readonly perSecond: number },
  clock: Pick<Clock, 'monotonic'>,
): Allowance {
  let left = most;
  let countedAt = clock.monotonic();
  return {
    take: (amount) => {
      const now = clock.monotonic();
      left = Math.min(most, left + ((now - countedAt) / 1_000) * perSecond);
      countedAt = now;
      if (amount > left) return Math.ceil((amount - left) / perSecond);
      left -= amount;
      return 0;
    },
  };
}
