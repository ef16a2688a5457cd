import { defineConfig } from 'vitest/config';

/**
 * The tests that mutants are tried with: those of the unit group that call the sources in this process. What reads the
 * sources, starts processes or needs PostgreSQL is left out, because a mutated copy runs none of it; and what takes long for
 * what it would add.
 */
export default defineConfig({
  test: {
    include: [
      'test/{core,config,messages,sends,gateway,slack,http,telemetry}/**/*.test.ts',
      'test/store/sqlite.test.ts',
      'test/{every-kind,hostile-text}.test.ts',
    ],
    exclude: [
      'test/http/hostile-webhooks.test.ts',
      'test/**/csv-round-trip.test.ts',
      // They wait for real time-outs, which a busy machine makes fail.
      'test/slack/{connection/*,results/announcer}.test.ts',
    ],
    // As in the unit group: a process for each file took longer than the tests of most.
    isolate: false,
    testTimeout: 30_000,
    hookTimeout: 30_000,
    expect: { poll: { timeout: 20_000 } },
  },
});
