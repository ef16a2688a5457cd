import type { Lease, Sharing } from '../sends/sharing.ts';

/** The lease of a process that has its store to itself: nobody else could take over. */
export const ALONE: Lease = {
  exclusive: true,
  epoch: () => ({ isValid: () => true }),
  replicas: () => 1,
  rank: () => 0,
};

/** What such a process agrees on, with nobody. */
export const UNSHARED: Sharing = { isLeader: async () => true, canAnnounce: async () => {} };
