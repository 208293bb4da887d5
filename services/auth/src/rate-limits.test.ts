import { until } from '@atrium/testkit/until';
import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { makeApplication, makeVerified } from './oauth/oauth.fixture.ts';
import { RATE_LIMITS } from './rate-limits.ts';
import { inputOf, makeAccount, PASSWORD, signIn, startTestApp, type TestApp } from './test-app.ts';

// Budgets come back with time: it stands still unless a test moves it.
vi.useFakeTimers({ toFake: ['Date'] });

const direct = await startTestApp({ RATE_LIMITS: 'on' });
const proxied = await startTestApp({ RATE_LIMITS: 'on', TRUST_PROXY: 'true' });
const behindNetwork = await startTestApp({ RATE_LIMITS: 'on', TRUST_PROXY: '10.0.0.0/8' });
const apps = [direct, proxied, behindNetwork];
afterAll(() => Promise.all(apps.map((app) => app[Symbol.asyncDispose]())));
beforeEach(() => {
  // Every test begins with full budgets: an hour is the longest window of an IP address.
  for (const app of apps) {
    app.clock.advanceMs += 3_600_000;
  }
  return direct.db.query('DELETE FROM email_messages');
});

const { limit } = RATE_LIMITS.resetByIp;
/** A request that counts for the client's IP address. */
async function ask(app: TestApp, peer: string, forwardedFor?: string) {
  const response = await app.server.inject({
    method: 'POST',
    url: `/auth/reset-password/${'x'.repeat(43)}`,
    payload: { password: 'an umbrella by the door' },
    remoteAddress: peer,
    ...(forwardedFor === undefined ? {} : { headers: { 'x-forwarded-for': forwardedFor } }),
  });
  return { status: response.statusCode, headers: response.headers };
}
const exhaust = (
  app: TestApp,
  peerOf: (n: number) => string,
  forwardedOf?: (n: number) => string,
) => Promise.all(Array.from({ length: limit }, (_, n) => ask(app, peerOf(n), forwardedOf?.(n))));

test('security 10: ignores X-Forwarded-For where no proxy is trusted', async () => {
  await exhaust(
    direct,
    () => '203.0.113.1',
    (n) => `198.51.100.${n}`,
  );
  expect((await ask(direct, '203.0.113.1', '198.51.100.250')).status).toBe(429);
  expect((await ask(direct, '203.0.113.2', '203.0.113.1')).status).toBe(422);
});

test('security 10: counts only the IP address that a trusted proxy appended', async () => {
  await exhaust(
    proxied,
    () => '10.0.0.1',
    (n) => `198.51.100.${n}, 203.0.113.1`,
  );
  expect((await ask(proxied, '10.0.0.1', '198.51.100.250, 203.0.113.1')).status).toBe(429);
  expect((await ask(proxied, '10.0.0.1', '203.0.113.1, 203.0.113.2')).status).toBe(422);
});

test('security 10: trusts only proxies in the trusted networks', async () => {
  await exhaust(
    behindNetwork,
    () => '203.0.113.1',
    (n) => `198.51.100.${n}`,
  );
  expect((await ask(behindNetwork, '203.0.113.1', '198.51.100.250')).status).toBe(429);
  await exhaust(
    behindNetwork,
    () => '10.0.0.1',
    (n) => `198.51.100.${n}, 203.0.113.5, 10.2.3.4`,
  );
  const forged = '198.51.100.250, 203.0.113.5, 10.2.3.4';
  expect((await ask(behindNetwork, '10.0.0.1', forged)).status).toBe(429);
  expect((await ask(behindNetwork, '10.0.0.1', '203.0.113.6')).status).toBe(422);
});

test('security 10: IPv6 clients count by their /64', async () => {
  await exhaust(direct, (n) => `2001:db8:1:2:${n}::1`);
  expect((await ask(direct, '2001:db8:1:2:ffff:ffff:ffff:ffff')).status).toBe(429);
  expect((await ask(direct, '2001:db8:1:3::1')).status).toBe(422);
});

test('security 10: an IPv4 client in IPv6 form is the same client', async () => {
  await exhaust(direct, () => '203.0.113.7');
  expect((await ask(direct, '::ffff:203.0.113.7')).status).toBe(429);
  expect((await ask(direct, '::ffff:203.0.113.8')).status).toBe(422);
});

test('security 10: 429 names the time after which a request succeeds', async () => {
  await exhaust(direct, () => '203.0.113.1');
  const { status, headers } = await ask(direct, '203.0.113.1');
  expect(status).toBe(429);
  expect(headers['retry-after']).toBe('120');
  expect(headers['ratelimit-policy']).toBe(`"reset-address";q=${limit};w=3600`);
  expect(headers['ratelimit']).toBe('"reset-address";r=0;t=120');
  direct.clock.advanceMs += 120_000;
  expect((await ask(direct, '203.0.113.1')).status).toBe(422);
});

test('limits reset requests by email address, known or not', async () => {
  await direct.call('POST', '/auth/register', { body: inputOf('often') });
  const forgot = (email: string) =>
    direct.call('POST', '/auth/forgot-password', { body: { email } });
  const outcomes = [];
  for (const email of ['often@example.com', 'unknown@example.com']) {
    const statuses = [];
    for (let n = 0; n < RATE_LIMITS.forgotByEmail.limit; n += 1) {
      statuses.push((await forgot(email)).status);
    }
    const refused = await forgot(email.toUpperCase());
    outcomes.push([...statuses, refused.status, refused.body, refused.headers['retry-after']]);
  }
  expect(outcomes[1]).toEqual(outcomes[0]);
  expect(outcomes[0]?.slice(0, 6)).toEqual([202, 202, 202, 202, 202, 429]);
});

type Input = ReturnType<typeof inputOf>;

test.each([
  ['/auth/register', RATE_LIMITS.registerByIp.limit, (input: Input) => input],
  ['/auth/forgot-password', RATE_LIMITS.forgotByIp.limit, ({ email }: Input) => ({ email })],
  [`/auth/verify-email/${'x'.repeat(43)}`, RATE_LIMITS.verifyByIp.limit, () => ({})],
])('%s is limited by IP address', async (url, allowed, payloadOf) => {
  const send = async (n: number) => {
    const body = { ...inputOf(`person${n}`), birthdate: '2999-01-01' };
    const payload = payloadOf(body);
    const answer = await direct.server.inject({ method: 'POST', url, payload });
    return answer.statusCode;
  };
  const statuses = await Promise.all(Array.from({ length: allowed }, (_, n) => send(n)));
  expect(statuses).not.toContain(429);
  expect(await send(allowed)).toBe(429);
});

/** How many emails of a kind were sent, once none waits any more. */
async function sentOf(kind: string): Promise<number> {
  await until(async () => {
    const waiting = 'SELECT 1 FROM email_messages WHERE next_attempt_at IS NOT NULL';
    return (await direct.db.query(waiting)).length === 0;
  });
  const sent = 'SELECT 1 FROM email_messages WHERE kind = $1 AND sent_at IS NOT NULL';
  return (await direct.db.query(sent, [kind])).length;
}
const { limit: toStranger } = RATE_LIMITS.emailToStranger;

test('limits notices about registrations with a taken email address', async () => {
  const owner = inputOf('bothered');
  await direct.call('POST', '/auth/register', { body: owner });
  for (let n = 0; n < 7; n += 1) {
    const input = { ...inputOf(`bother${n}`), email: owner.email };
    expect((await direct.call('POST', '/auth/register', { body: input })).status).toBe(201);
  }
  expect(await sentOf('email-taken')).toBe(toStranger);
});

test('all accounts together send five emails an hour to an address that is none of theirs', async () => {
  const accounts = await Promise.all(
    ['pest', 'nuisance'].map((username) => makeAccount(direct, username)),
  );
  const body = { email: 'stranger@example.com', password: PASSWORD };
  for (const { accessToken: token } of accounts) {
    for (let n = 0; n < 4; n += 1) {
      expect((await direct.call('POST', '/user/change-email', { token, body })).status).toBe(202);
    }
  }
  expect(await sentOf('confirm-email')).toBe(toStranger);
});

describe('an address that was not verified is not flooded', () => {
  test('by changes of the password', async () => {
    const { accessToken: token } = await makeAccount(direct, 'changes-password');
    const passwords = [PASSWORD, 'an umbrella by the door'];
    for (let n = 0; n < 6; n += 1) {
      const [currentPassword, newPassword] = n % 2 === 0 ? passwords : passwords.toReversed();
      const body = { currentPassword, newPassword };
      const changed = await direct.call('POST', '/user/change-password', { token, body });
      expect(changed.status).toBe(200);
    }
    expect(await sentOf('password-changed')).toBe(toStranger);
  });

  test('by requests to delete the account', async () => {
    let account = await makeAccount(direct, 'deletes-often');
    for (let n = 0; n < 6; n += 1) {
      const { accessToken: token } = account;
      const body = { password: PASSWORD };
      expect((await direct.call('DELETE', '/user/me', { token, body })).status).toBe(202);
      account = await signIn(direct, account);
    }
    const notices = await sentOf('account-deletion');
    expect(notices + (await sentOf('suspicious-login'))).toBe(toStranger);
  });
});

test('the owner of a verified address hears of everything', async () => {
  let account = await makeVerified(direct, 'hears-everything');
  for (let n = 0; n < 6; n += 1) {
    const { accessToken: token } = account;
    const body = { password: PASSWORD };
    expect((await direct.call('DELETE', '/user/me', { token, body })).status).toBe(202);
    account = await signIn(direct, account);
  }
  expect(await sentOf('account-deletion')).toBe(6);
});

test('all other sessions can be revoked 30 times a minute', async () => {
  const { accessToken: token } = await makeAccount(direct, 'revokes-often');
  const revoke = async () => (await direct.call('DELETE', '/user/sessions', { token })).status;
  const statuses = await Promise.all(Array.from({ length: 31 }, revoke));
  expect(statuses.filter((status) => status === 429)).toHaveLength(1);
});

test('applications and their logos can be changed 60 times an hour', async () => {
  const { accessToken: token } = await makeVerified(direct, 'changes-often');
  const path = `/applications/${(await makeApplication(direct, token)).id}`;
  const { limit: allowed } = RATE_LIMITS.settingsByAccount;
  for (let n = 0; n < allowed; n += 1) {
    const changed = await direct.call('PATCH', path, { token, body: { name: `Shelf ${n}` } });
    expect(changed.status).toBe(200);
  }
  expect((await direct.call('PATCH', path, { token, body: {} })).status).toBe(429);
  expect((await direct.call('DELETE', `${path}/logo`, { token })).status).toBe(429);
});
