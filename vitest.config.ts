import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['{packages,services}/*/{src,test}/**/*.test.ts', 'scripts/**/*.test.ts'],
    globalSetup: ['packages/testkit/src/global-setup.ts'],
    setupFiles: ['packages/testkit/src/leaks.ts'],
    pool: 'forks',
    // Tests mostly wait for servers.
    maxWorkers: 3,
    // Only for tests that hang: a slow test on a busy machine takes much less.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // A slow machine is no failure; the default is a second.
    expect: { poll: { timeout: 30_000 } },
    teardownTimeout: 60_000,
    // An unhandled rejection is a failure, and so is a focused test.
    dangerouslyIgnoreUnhandledErrors: false,
    allowOnly: false,
  },
});
