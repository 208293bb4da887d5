import { afterAll, expect, test, vi } from 'vitest';
import { makeVerified, startCodes } from '../second-factor.fixture.ts';
import { RATE_LIMITS } from '../../rate-limits.ts';
import { PASSWORD, signIn, startTestApp, type TestApp } from '../../test-app.ts';

// Budgets come back with time: it stands still unless a test moves it.
vi.useFakeTimers({ toFake: ['Date'] });

const app = await startTestApp();
const limited = await startTestApp({ RATE_LIMITS: 'on' });
afterAll(async () => {
  await limited[Symbol.asyncDispose]();
  await app[Symbol.asyncDispose]();
});

async function setUp(on: TestApp, token: string) {
  const body = { password: PASSWORD };
  const setup = await on.call('POST', '/user/second-factor/totp', { token, body });
  return startCodes(on, String(setup.body['secret']));
}
const confirm = async (on: TestApp, token: string, code: string) =>
  (await on.call('POST', '/user/second-factor/totp/confirm', { token, body: { code } })).status;

test('security 25: checks five of forty parallel wrong first codes and voids the secret', async () => {
  const { id, accessToken } = await makeVerified(app, 'guessed');
  const codes = await setUp(app, accessToken);
  const wrong = codes.wrong();
  const statuses = await Promise.all(
    Array.from({ length: 40 }, () => confirm(app, accessToken, wrong)),
  );
  expect(statuses.filter((status) => status === 401)).toHaveLength(5);
  expect(statuses.filter((status) => status === 404)).toHaveLength(35);
  expect(await confirm(app, accessToken, codes.next())).toBe(404);
  const failures = await app.db.query(
    `SELECT 1 FROM audit_events WHERE account_id = $1 AND kind = 'factor.failed'`,
    [id],
  );
  expect(failures).toHaveLength(5);

  const again = await setUp(app, accessToken);
  expect(await confirm(app, accessToken, again.next())).toBe(200);
});

test('security 25: limits wrong first codes across setups', async () => {
  const thief = await makeVerified(limited, 'persistent');
  const owner = await signIn(limited, thief);
  const { limit } = RATE_LIMITS.confirmTotp;
  const statuses = [];
  for (let n = 0; n < limit + 2; n += 1) {
    const codes = await setUp(limited, thief.accessToken);
    statuses.push(await confirm(limited, thief.accessToken, codes.wrong()));
  }
  expect(statuses).toEqual([...Array.from({ length: limit }, () => 401), 429, 429]);
  // The key is the session: a stolen one does not keep the owner out.
  const codes = await setUp(limited, owner.accessToken);
  expect(await confirm(limited, owner.accessToken, codes.next())).toBe(200);
});
