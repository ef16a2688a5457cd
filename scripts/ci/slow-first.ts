import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Files that take long: each begins while others of its group are still to come, so that no group waits for one of them at
 * its end. `npm run test:all` prints how long each file took.
 */
const SLOW = [
  ...['e2e/launcher', 'e2e/cards-once', 'e2e/cut-off', 'e2e/alert-signals', 'e2e/restored', 'e2e/disk-full'],
  ...['e2e/notified', 'e2e/service-trouble', 'e2e/closed-ways', 'e2e/alert-silence', 'e2e/flood'],
  ...['e2e/bulk-trouble', 'e2e/resting', 'e2e/repeats', 'e2e/reports', 'e2e/bulk-slack-trouble'],
  ...[
    'e2e/wrong-clock',
    'e2e/database-gone',
    'e2e/replicas',
    'e2e/operators',
    'e2e/large-lists',
    'e2e/running',
  ],
  ...['growth', 'year/year', 'expressions/expressions', 'http/hostile-webhooks', 'store/postgres'],
  ...['store/postgres-tasks', 'chaos/replicas', 'browser/campaign', 'browser/accessible', 'trust/leave'],
  ...['chaos/trouble', 'trust/calls', 'browser/bulk', 'browser/whole', 'chaos/upgrade', 'chaos/kill'],
  ...[
    'browser/page',
    'trust/slow-connections',
    'trust/leave-replicas',
    'trust/calls-unanswered',
    'trust/results',
  ],
].map((name) => `/test/${name}.test.ts`);

/** Vitest's own order, in which the slow files of each group come first. */
export default class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.toSorted((a, b) => orderOf(a) - orderOf(b) || rankOf(a) - rankOf(b));
  }
}

const orderOf = ({ project }: TestSpecification): number => project.config.sequence.groupOrder;

function rankOf({ moduleId }: TestSpecification): number {
  const rank = SLOW.findIndex((end) => moduleId.endsWith(end));
  return rank === -1 ? SLOW.length : rank;
}
