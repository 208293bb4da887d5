import { AUDIT_KINDS } from '@atrium/contracts/auth/audit';
import { until } from '@atrium/testkit/until';
import { afterAll, expect, test } from 'vitest';
import {
  INTERNAL_SECRET,
  inputOf,
  makeAccount,
  PASSWORD,
  signIn,
  type TestAccount,
} from '../test-app.ts';
import { causeApplicationEvents } from '../oauth/events.fixture.ts';
import { startOauthApp } from '../oauth/oauth.fixture.ts';
import { startDevice } from '../oauth/device-login/device.fixture.ts';

const lines: string[] = [];
const { app, origin, ...started } = await startOauthApp(
  { RATE_LIMITS: 'on' },
  { log: { write: (line) => void lines.push(line) } },
);
afterAll(() => started[Symbol.asyncDispose]());

const NEW_PASSWORD = 'an umbrella by the door';
const WRONG_PASSWORD = 'a wrong password indeed';
/** What the log must never contain; the test adds to it. */
const secrets = new Set([PASSWORD, NEW_PASSWORD, WRONG_PASSWORD, INTERNAL_SECRET]);

async function post(url: string, body: object, token?: string) {
  return app.call('POST', url, { body, ...(token === undefined ? {} : { token }) });
}

type EmailLinkPath = 'verify-email' | 'reset-password' | 'confirm-email' | 'not-me';

async function open(path: EmailLinkPath, token: string, body: object = {}): Promise<void> {
  secrets.add(token);
  const answer = await app.call('POST', `/auth/${path}/${token}`, { body });
  expect([path, answer.status]).toEqual([path, 200]);
}

async function openLink(email: string, path: EmailLinkPath, body: object = {}): Promise<void> {
  await open(path, await app.emailToken(email, path), body);
}

function keep(account: TestAccount): TestAccount {
  secrets.add(account.accessToken).add(account.refreshToken).add(account.device);
  return account;
}

async function refresh(refreshToken: string) {
  const answer = await app.call('POST', '/auth/refresh', { cookies: { refreshToken } });
  const { accessToken = PASSWORD } = answer.body as { accessToken?: string };
  secrets.add(accessToken);
  return answer.status;
}

async function decideDeviceLogin(verb: 'confirm' | 'deny', token: string, proof: object = {}) {
  const { deviceCode, userCode } = await startDevice(origin, { device_name: 'a laptop' });
  secrets.add(deviceCode);
  const decided = await post(`/auth/device/${userCode}/${verb}`, proof, token);
  expect(decided.status).toBe(204);
}

/** Causes most kinds of event for one account. */
async function causeEvents(): Promise<void> {
  const account = keep(await makeAccount(app, 'eventful'));
  const { email, id } = account;
  await openLink(email, 'verify-email', { password: PASSWORD });
  await post('/auth/register', { ...inputOf('again'), email });
  await post('/auth/login', { email, password: WRONG_PASSWORD });
  await app.call('PUT', `/internal/accounts/${id}/plan`, {
    body: { plan: 'pro' },
    headers: { 'x-internal-secret': INTERNAL_SECRET },
  });
  await app.call('PATCH', '/user/me', {
    token: account.accessToken,
    body: { username: 'eventfuller' },
  });
  const change = (currentPassword: string) => ({ currentPassword, newPassword: NEW_PASSWORD });
  await post('/user/change-password', change(WRONG_PASSWORD), account.accessToken);
  await post('/user/change-password', change(PASSWORD), account.accessToken);

  await decideDeviceLogin('confirm', account.accessToken, { password: NEW_PASSWORD });
  await decideDeviceLogin('deny', account.accessToken);

  const password = NEW_PASSWORD;
  const machine = { name: 'Backup', scopes: ['notes:read'], expiresInDays: 1, password };
  const { body: made } = await post('/user/tokens', machine, account.accessToken);
  const { id: tokenId, token: personalToken } = made as Record<string, string>;
  secrets.add(personalToken ?? '');
  await app.call('DELETE', `/user/tokens/${tokenId}`, { token: account.accessToken });

  const other = keep(await signIn(app, { ...account, password }));
  const sessions = await app.call('GET', '/user/sessions', { token: other.accessToken });
  const [newest] = sessions.body['data'] as { id: string }[];
  await app.call('DELETE', `/user/sessions/${newest?.id}`, { token: account.accessToken });

  await post('/auth/forgot-password', { email });
  await openLink(email, 'reset-password', { password: PASSWORD });
  const third = keep(await signIn(app, account));
  await refresh(third.refreshToken);
  app.clock.advanceMs = 30_000;
  expect(await refresh(third.refreshToken)).toBe(401);
  app.clock.advanceMs = 0;

  const fourth = keep(await signIn(app, account));
  const newEmail = 'eventful@new.example.com';
  await post('/user/change-email', { password: PASSWORD, email: newEmail }, fourth.accessToken);
  await openLink(newEmail, 'confirm-email', { password: PASSWORD });
  // Other notices with a link of this kind may arrive later.
  const notice = await app.mailbox.waitFor(
    (email) => email.subject === 'Your email address was changed',
  );
  await open('not-me', /\/not-me\/([\w-]+)/.exec(notice.text)?.[1] ?? '');
  // Revoking access made the password unusable.
  const resetToken = await app.emailToken(email, 'reset-password', 2);
  await open('reset-password', resetToken, { password: PASSWORD });
  const { refreshToken } = keep(await signIn(app, account));
  await app.call('POST', '/auth/logout', { cookies: { refreshToken } });
  for (let count = 0, status = 0; count < 30 && status !== 429; count += 1) {
    ({ status } = await post('/auth/login', { email, password: WRONG_PASSWORD }));
  }
}

test('security 30: the log contains every security event and no secret', async () => {
  await causeEvents();
  for (const secret of await causeApplicationEvents(app, origin)) secrets.add(secret);
  const elsewhere =
    /^(operator\.|identity\.|account\.(deletion|erased|export)|factor\.|recovery_|login\.second_step)/;
  const expected = AUDIT_KINDS.filter((kind) => !elsewhere.test(kind));
  const logged = () =>
    lines.flatMap((line) => {
      const { msg, securityEvent, requestId, ipAddress } = JSON.parse(line);
      return msg === 'security event' ? [{ securityEvent, requestId, ipAddress }] : [];
    });
  await until(() => {
    const kinds = new Set(logged().map((event) => event.securityEvent));
    return expected.every((kind) => kinds.has(kind));
  }).catch(() => undefined);
  const kinds = new Set(logged().map((event) => event.securityEvent));
  expect(expected.filter((kind) => !kinds.has(kind))).toEqual([]);
  expect(logged().filter((event) => !event.requestId || !event.ipAddress)).toEqual([]);

  const stored = await app.db.query<{ line: string }>('SELECT e::text AS line FROM audit_events e');
  const text = [...lines, ...stored.map((row) => row.line)].join('\n');
  secrets.delete('');
  expect([...secrets].filter((secret) => text.includes(secret))).toEqual([]);
  expect(secrets.size).toBeGreaterThan(15);
});
