import { FUZZ_TIMEOUT_MS, REQUESTS } from '@atrium/testkit/fuzz/config';
import { fuzzRoutes } from '@atrium/testkit/fuzz/run';
import { tokenAccounts } from '@atrium/testkit/fuzz/token-accounts';
import { test } from 'vitest';
import { startTestApp } from '../test-app.ts';

const KNOWN = {
  'workspaces/id': ['@@ws@@'],
  'notes/id': ['@@note@@'],
  'attachments/id': ['@@fil@@'],
  name: ['garden.jpg'],
  workspace: ['@@ws@@'],
  workspaceId: ['@@ws@@'],
  userId: ['@@usr@@'],
  versionId: ['@@ver@@'],
  q: ['a', 'note', '- -'],
  'if-match': ['*', '"1"', '"2"'],
  cursor: ['e30', 'bnVsbA', 'WzFd'],
};

test(
  `${REQUESTS} requests to all routes are answered as the OpenAPI document says`,
  async () => {
    await using app = await startTestApp();
    const origin = await app.server.listen({ port: 0, host: '127.0.0.1' });
    await fuzzRoutes({ origin, known: KNOWN, accounts: tokenAccounts(app.issuer) });
  },
  FUZZ_TIMEOUT_MS,
);
