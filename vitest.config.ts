import { defineConfig } from 'vitest/config';

const SHARED_PLATFORM = 'tools/acceptance/src/{,web/}*.test.ts';
const OWN_PLATFORM = [
  'tools/acceptance/src/{,web/}own-platform/*.test.ts',
  'tools/local-stack/src/{known-migrations,platform,start}.test.ts',
];

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'services',
          include: ['{packages,services,tools}/*/{src,test}/**/*.test.ts', 'scripts/**/*.test.ts'],
          exclude: [SHARED_PLATFORM, ...OWN_PLATFORM],
          // The services are imported once for each worker. Tests share no state but what is open, and
          // each file closes that.
          isolate: false,
          globalSetup: ['tools/testkit/src/global-setup.ts'],
        },
      },
      // From outside, of the running platform: most files share one, which starts after all others have
      // ended, since a platform takes processor time even while nobody uses it.
      {
        test: {
          name: 'shared-platform',
          include: [SHARED_PLATFORM],
          isolate: false,
          globalSetup: ['tools/acceptance/src/global-setup.ts'],
          sequence: { groupOrder: 1 },
        },
      },
      { test: { name: 'own-platform', include: OWN_PLATFORM } },
    ],
    setupFiles: ['tools/testkit/src/leaks.ts', 'packages/service-kit/test/error-codes.ts'],
    pool: 'forks',
    // Two cores are busy with three; with more, everything only waits longer.
    maxWorkers: 3,
    // Only for tests that hang: a slow test on a busy machine takes much less.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    // A slow machine is no failure; the default is a second.
    expect: { poll: { timeout: 30_000 } },
    teardownTimeout: 60_000,
    // An unhandled rejection is a failure, and so is a focused test.
    dangerouslyIgnoreUnhandledErrors: false,
    allowOnly: false,
  },
});
