import { FUZZ_TIMEOUT_MS, REQUESTS } from '@atrium/testkit/fuzz/config';
import { fuzzRoutes } from '@atrium/testkit/fuzz/run';
import { tokenAccounts } from '@atrium/testkit/fuzz/token-accounts';
import { test } from 'vitest';
import { CRON_SECRET, startHarness } from '../harness.fixture.ts';

const KNOWN = {
  id: ['@@whk@@', '@@whk@@', '@@dlv@@'],
  url: ['https://93.184.216.34/hook', 'http://127.0.0.1:9/'],
  cursor: ['e30', 'bnVsbA', 'WzFd'],
  'x-cron-secret': ['@@cronSecret@@'],
};

test(
  `${REQUESTS} requests to all routes are answered as the OpenAPI document says`,
  async () => {
    await using harness = await startHarness();
    const accounts = tokenAccounts(harness.issuer, { cronSecret: CRON_SECRET });
    const origin = await harness.server.listen({ port: 0, host: '127.0.0.1' });
    await fuzzRoutes({ origin, known: KNOWN, accounts });
  },
  FUZZ_TIMEOUT_MS,
);
