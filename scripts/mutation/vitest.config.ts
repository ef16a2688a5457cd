import { defineConfig } from 'vitest/config';

/**
 * The tests that mutants are tried with: those of the three rooms, and of what is nearest to them. What reads the sources,
 * starts processes or needs PostgreSQL is left out, because a mutated copy runs none of it.
 */
export default defineConfig({
  test: {
    include: [
      'test/{messages,sends,gateway,slack/compose}/**/*.test.ts',
      'test/store/sqlite*.test.ts',
      'test/every-kind.test.ts',
    ],
    testTimeout: 30_000,
    hookTimeout: 30_000,
    expect: { poll: { timeout: 20_000 } },
  },
});
