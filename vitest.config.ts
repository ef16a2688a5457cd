import { defineConfig } from 'vitest/config';
import SlowFirst from './scripts/ci/slow-first.ts';

/** Unit tests that need PostgreSQL, or that try so much that they take long: a group of their own. */
const LONG = [
  'test/{earlier,kubernetes,postgres,store/moving,year}/**/*.test.ts',
  'test/{expressions/expressions,growth,migrate,opt-outs,person,release}.test.ts',
  'test/http/hostile-webhooks.test.ts',
  'test/store/postgres*.test.ts',
  'test/store/{check,pgbouncer,pooler,retention,sqlite-backups}.test.ts',
];

/** End-to-end tests that are about a file's disk, or start what they test on a file of their own. */
const ON_A_FILE = ['test/e2e/{broken-off,disk-full,doctor,launcher,put-back,restored,start-up,walk}.test.ts'];
/** End-to-end tests that bring a PostgreSQL database of their own; and one that takes long, on whichever store. */
const ON_POSTGRESQL = [
  'test/e2e/{compose,connection-lost,cut-off,database-gone,hand-over,large-lists,lost-answers,resting,running}.test.ts',
  'test/e2e/replicas*.test.ts',
];
/** End-to-end tests that are about the transport: on each push they run on both stores with both. */
const ABOUT_THE_TRANSPORT = [
  'test/e2e/{closed-ways,delivery,hand-over,refused-views,starts}.test.ts',
  'test/e2e/{replicas,rights}*.test.ts',
];

/** Groups that need no PostgreSQL, and so have none. */
const ON_SQLITE = ['unit', 'e2e', 'e2e crossed'];

/** A run at night tries what a run for each push leaves out. */
const END_TO_END = ['test/e2e/**/*.test.ts'];
const CROSSED = process.env.HERALD_TESTS === 'nightly' ? END_TO_END : ABOUT_THE_TRANSPORT;

/** These mostly compute: with a third one a page was too slow for its test now and then. */
const COMPUTING = 2;
/** As above, and one for the moments in which another waits for a database. */
const UNITS = 3;
/** End-to-end tests mostly wait for what comes by itself: several of them share a core well. */
const WAITING = 7;
/** Where Slack's pace is a quick one they wait less. */
const QUICK = 5;

/** What the carrier's answers are like in end-to-end tests, `calm` for none: the whole run has one seed. */
const WEATHER = { HERALD_E2E_WEATHER: process.env.HERALD_E2E_WEATHER ?? String(Date.now() % 1_000_000) };

/**
 * Groups that load the machine alike run together, one such number after the other. `npm test` runs `unit` and `e2e`,
 * `npm run test:all` runs all of them, and `crash`, which kills and stalls processes, and `trust`, the attacks that are kept,
 * have commands of their own. End-to-end tests run on pairs of a store and a transport; the other two pairs are crossed.
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
    sequence: { sequencer: SlowFirst },
    projects: [
      group('unit', 0, UNITS, ['test/**/*.test.ts'], ['test/{e2e,browser,chaos,trust}/**', ...LONG]),
      group('long', 0, UNITS, LONG),
      group('e2e', 1, QUICK, END_TO_END, ON_POSTGRESQL, on('file', 'socket')),
      group('e2e on PostgreSQL', 2, WAITING, END_TO_END, ON_A_FILE, on('postgres', 'http')),
      group('e2e crossed', 2, WAITING, CROSSED, ON_POSTGRESQL, on('file', 'http')),
      group('e2e crossed on PostgreSQL', 2, WAITING, CROSSED, ON_A_FILE, on('postgres', 'socket')),
      group('browser', 3, COMPUTING, ['test/browser/**/*.test.ts']),
      group('crash', 3, COMPUTING, ['test/chaos/**/*.test.ts']),
      group('trust', 3, COMPUTING, ['test/trust/**/*.test.ts']),
    ],
  },
});

/** The environment of end-to-end tests: the store and the transport of the group. */
function on(store: 'file' | 'postgres', transport: 'socket' | 'http'): Record<string, string> {
  return { ...WEATHER, HERALD_E2E_STORE: store, HERALD_E2E_TRANSPORT: transport };
}

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
      exclude: ['**/node_modules/**', ...exclude],
      env,
      maxWorkers,
      sequence: { groupOrder },
      pool: 'forks' as const,
      // Files of one worker share what they import: a process for each took longer than the tests of most. Of the other
      // groups the files are few, and long.
      isolate: ['browser', 'crash', 'trust'].includes(name),
      setupFiles: 'HERALD_E2E_WEATHER' in env ? ['test/e2e/name-weather.ts'] : [],
      // How long to wait in vain before giving up: on a busy machine what is right can be slow, and attacks in full are long.
      testTimeout: process.env.HERALD_TRUST === 'full' ? 3_600_000 : 120_000,
      hookTimeout: 120_000,
      expect: { poll: { timeout: 20_000 } },
      globalSetup: [
        'test/build.ts',
        ...(ON_SQLITE.includes(name) ? [] : ['test/postgres/global-setup.ts']),
        ...(name === 'browser' ? ['test/browser/global-setup.ts'] : []),
        ...(name === 'long' ? ['test/tools.ts'] : []),
      ],
    },
  };
}
