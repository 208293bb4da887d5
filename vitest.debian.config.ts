import { defineConfig } from 'vitest/config';

/** `npm run test:debian`: what needs packages that Debian has and npm does not. */
export default defineConfig({
  test: {
    include: ['{services,tools}/*/src/**/*.debian.ts'],
    globalSetup: ['tools/testkit/src/global-setup.ts'],
    setupFiles: ['tools/testkit/src/leaks.ts', 'packages/service-kit/test/error-codes.ts'],
    pool: 'forks',
    expect: { poll: { timeout: 30_000 } },
    testTimeout: 600_000,
    hookTimeout: 180_000,
  },
});
