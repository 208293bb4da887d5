import { FUZZ_TIMEOUT_MS, REQUESTS } from '@atrium/testkit/fuzz/config';
import { fuzzRoutes } from '@atrium/testkit/fuzz/run';
import { afterAll, expect, test } from 'vitest';
import { startTestApp } from '../test-app.ts';
import { startFuzzAccounts } from './accounts.fixture.ts';

/** Values by field name; placeholders are filled by the accounts. */
const KNOWN = {
  email: ['@@email@@', '@@email@@', '@@otherEmail@@', '@@newEmail@@'],
  username: ['@@username@@', '@@newName@@'],
  password: ['@@password@@'],
  currentPassword: ['@@password@@', '@@password@@', 'a wrong password'],
  newPassword: ['@@password@@', 'umbrella and a lantern'],
  mfaToken: ['@@mfaToken@@'],
  code: ['@@code@@', '000000'],
  recoveryCode: ['@@recoveryCode@@'],
  id: ['@@id@@', '@@sessionId@@', '@@passkeyId@@'],
  cursor: ['@@sessionId@@', 'e30', 'bnVsbA', 'WzFd'],
  'x-internal-secret': ['@@internalSecret@@'],
};

const errors: string[] = [];
const app = await startTestApp(
  { ACCESS_TOKEN_TTL_SECONDS: '86400' },
  {
    log: {
      write: (line) => {
        if (JSON.parse(line).level >= 50) errors.push(line);
      },
    },
  },
);
afterAll(() => app[Symbol.asyncDispose]());

test(
  `${REQUESTS} requests to all routes are answered as the OpenAPI document says`,
  async () => {
    const origin = await app.server.listen({ port: 0, host: '127.0.0.1' });
    await fuzzRoutes({ origin, known: KNOWN, accounts: await startFuzzAccounts(app) });
    expect(errors).toEqual([]);
  },
  FUZZ_TIMEOUT_MS,
);
