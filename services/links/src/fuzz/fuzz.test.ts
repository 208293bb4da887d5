import { FUZZ_TIMEOUT_MS, REQUESTS } from '@atrium/testkit/fuzz/config';
import { fuzzRoutes } from '@atrium/testkit/fuzz/run';
import { tokenAccounts } from '@atrium/testkit/fuzz/token-accounts';
import { test } from 'vitest';
import { startTestPlatform } from '../test-app.ts';

const KNOWN = {
  id: ['@@lnk@@'],
  slug: ['known-1', 'known-2', 'known-3'],
  url: ['https://example.com/', 'https://example.com/a?b=c#d'],
  cursor: ['e30', 'bnVsbA', 'WzFd'],
};

test(
  `${REQUESTS} requests to all routes are answered as the OpenAPI document says`,
  async () => {
    await using platform = await startTestPlatform();
    await using replica = await platform.replica();
    const origin = await replica.server.listen({ port: 0, host: '127.0.0.1' });
    await fuzzRoutes({ origin, known: KNOWN, accounts: tokenAccounts(platform.issuer) });
  },
  FUZZ_TIMEOUT_MS,
);
