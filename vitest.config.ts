import { defineConfig } from 'vitest/config';

/**
 * These tests bring their own database, are about a file's disk, or start what they test without the store of the group:
 * on both they would be the same tests twice.
 */
const ONE_STORE =
  'test/e2e/{broken-off,compose,cut-off,database-gone,disk-full,doctor,hand-over,launcher,lost-answers,put-back,replicas,resting,restored,running,start-up}.test.ts';

/** Files of the `unit` group start servers and mostly compute, so one for each core is as fast as it gets. */
const COMPUTING = 2;
/** End-to-end tests mostly wait for what comes by itself: several of them share a core well. */
const WAITING = 6;

/** What the carrier's answers are like in end-to-end tests, `calm` for none: the whole run has one seed. */
const WEATHER = { HERALD_E2E_WEATHER: process.env.HERALD_E2E_WEATHER ?? String(Date.now() % 1_000_000) };

/**
 * One group of tests after the other, because each loads the machine in its own way. `npm test` runs all of them but
 * `crash`, which kills and stalls processes for minutes and wants both cores for itself, and `trust`, the attacks that are
 * kept: these two have commands of their own.
 */
export default defineConfig({
  test: {
    // A list of what is wrong is the message of many a test, so it is printed whole.
    chaiConfig: { truncateThreshold: 4_000 },
    reporters: [
      'default',
      './scripts/ci/durations.ts',
      './scripts/ci/figures.ts',
      ...(process.env.HERALD_TEST_REPORT === undefined ? [] : ['./scripts/ci/reporter.ts']),
    ],
    projects: [
      group('unit', 0, COMPUTING, ['test/**/*.test.ts'], ['test/{e2e,browser,chaos,trust}/**']),
      group('e2e', 1, WAITING, ['test/e2e/**/*.test.ts'], [], WEATHER),
      group('e2e on PostgreSQL', 1, WAITING, ['test/e2e/**/*.test.ts'], [ONE_STORE], {
        ...WEATHER,
        HERALD_E2E_STORE: 'postgres',
      }),
      group('browser', 2, COMPUTING, ['test/browser/**/*.test.ts']),
      group('crash', 3, COMPUTING, ['test/chaos/**/*.test.ts']),
      group('trust', 4, COMPUTING, ['test/trust/**/*.test.ts']),
    ],
  },
});

function group(
  name: string,
  groupOrder: number,
  maxWorkers: number,
  include: string[],
  exclude: string[] = [],
  env: Record<string, string> = {},
) {
  return {
    test: {
      name,
      include,
      exclude,
      env,
      maxWorkers,
      sequence: { groupOrder },
      pool: 'forks' as const,
      // Files of one worker share what they import: a process for each took longer than the tests of most. Of the other
      // groups the files are few, and long.
      isolate: name !== 'unit',
      // How long to wait in vain before giving up: on a busy machine what is right can be slow, and attacks in full are long.
      testTimeout: process.env.HERALD_TRUST === 'full' ? 3_600_000 : 120_000,
      hookTimeout: 120_000,
      expect: { poll: { timeout: 20_000 } },
      globalSetup: [
        'test/build.ts',
        'test/postgres/global-setup.ts',
        ...(name === 'browser' ? ['test/browser/global-setup.ts'] : []),
      ],
    },
  };
}
