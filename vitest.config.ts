import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // How long to wait in vain before giving up: on a busy machine what is right can be slow.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 20_000 } },
    globalSetup: ['test/postgres/global-setup.ts', 'test/browser/global-setup.ts'],
    pool: 'forks',
    maxWorkers: 2,
  },
});
