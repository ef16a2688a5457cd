import type { Lease } from '../sends/ports.ts';
import type { Sharing } from '../sends/sharing.ts';

/** The lease of a process that has its store to itself: nobody else could take over. */
export const ALONE: Lease = {
  exclusive: true,
  tenure: () => ({ holds: () => true }),
  sharers: () => 1,
  rank: () => 0,
};

/** What such a process agrees on, with nobody. */
export const UNSHARED: Sharing = { hasDuty: async () => true, canTell: async () => {} };
