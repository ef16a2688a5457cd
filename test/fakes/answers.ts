import type { Answers } from '../../src/slack/kit/cards/answers.ts';

/** Nothing came back. */
export const NO_ANSWERS: Answers = {
  summary: async () => ({ tally: [], delivered: 0, read: 0, failed: 0, failures: [] }),
  deliveries: async () => [],
  answersOf: async () => [],
  reached: async () => new Map(),
};
