/** Shared by the chaos test and the process that it kills. */
export const SEND_ID = 'S-CHAOS';
export const CONCURRENCY = 50;
export const PER_SECOND = 3_000;
