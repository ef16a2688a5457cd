/** How long a test waits for what comes by itself: much longer than it takes, for a machine that is busy. */
export const PATIENT = { timeout: 30_000, interval: 20 };
