import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['{packages,services}/*/{src,test}/**/*.test.ts', 'scripts/**/*.test.ts'],
    globalSetup: ['packages/testkit/src/global-setup.ts'],
    setupFiles: ['packages/testkit/src/leaks.ts'],
    pool: 'forks',
    // Tests mostly wait, for servers and for what must not happen.
    maxWorkers: 3,
    // For what hangs: whatever is merely slow, on a busy machine too, is over long before.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    teardownTimeout: 60_000,
    // A promise that nobody awaited is a fault, and so is a test left out.
    dangerouslyIgnoreUnhandledErrors: false,
    allowOnly: false,
  },
});
