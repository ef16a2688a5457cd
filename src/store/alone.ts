import type { Lease } from '../sends/ports.ts';

/** The lease of a process that has its store to itself: nobody else could take over. */
export const ALONE: Lease = { tenure: () => ({ holds: () => true }), sharers: () => 1 };
