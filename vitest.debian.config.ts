import { defineConfig } from 'vitest/config';

/** `npm run test:destinations`: what needs servers that npm does not have. */
export default defineConfig({
  test: {
    include: ['services/webhook-dispatcher/src/sending/destinations/*.broker.ts'],
    globalSetup: ['tools/testkit/src/global-setup.ts'],
    setupFiles: ['tools/testkit/src/leaks.ts', 'packages/service-kit/test/error-codes.ts'],
    pool: 'forks',
    testTimeout: 600_000,
    hookTimeout: 180_000,
  },
});
