import type { RecipientCounts } from '../../src/sends/send.ts';
import { createStoreTrouble } from '../../src/sends/store-trouble.ts';

export const NO_RECIPIENTS: RecipientCounts = {
  pending: 0,
  attempting: 0,
  accepted: 0,
  rejected: 0,
  not_sent: 0,
  unknown: 0,
  skipped: 0,
};

/** For a dispatcher that only its service holds up: no quiet hours, opt-outs or cap, and a store without trouble. */
export function createClearWay() {
  return {
    storeTrouble: createStoreTrouble(),
    quietHours: () => undefined,
    beforeAttempt: async () => new Map(),
  };
}
