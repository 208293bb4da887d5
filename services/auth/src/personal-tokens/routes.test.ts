import { sessionDigest } from '@atrium/service-kit/revoked-sessions';
import { afterAll, expect, test } from 'vitest';
import { makeAccount, PASSWORD, startTestApp, type TestAccount } from '../test-app.ts';

const app = await startTestApp();
afterAll(() => app[Symbol.asyncDispose]());

const TOKEN = /^atrium_pat_[\w-]{43}[0-9a-f]{8}$/;
const BODY = { name: 'Backup', scopes: ['notes:read'], expiresInDays: 30, password: PASSWORD };

/** An account with a verified address. */
async function verified(username: string): Promise<TestAccount> {
  const account = await makeAccount(app, username);
  const sql = 'UPDATE accounts SET email_verified_at = now() WHERE email = $1';
  await app.db.query(sql, [account.email]);
  return account;
}

const create = (account: TestAccount, changes: object = {}) =>
  app.call('POST', '/user/tokens', {
    token: account.accessToken,
    body: { ...BODY, ...changes },
  });
const list = async ({ accessToken: token }: TestAccount) =>
  (await app.call('GET', '/user/tokens', { token })).body['data'];
const exchange = (token: string) => app.call('POST', '/internal/access-tokens', { token });
const newToken = async (account: TestAccount, changes: object = {}) => {
  const { status, body } = await create(account, changes);
  expect(status).toBe(201);
  return { id: String(body['id']), token: String(body['token']) };
};
/** Its access tokens have expired, and a portal link that was made with one has not. */
const endAccess = (id: string) =>
  app.db.query(
    `UPDATE personal_tokens SET access_expires_at = now() - interval '50 minutes' WHERE id = $1`,
    [id],
  );
const claimsOf = (accessToken: unknown): unknown =>
  JSON.parse(Buffer.from(String(accessToken).split('.')[1] ?? '', 'base64url').toString());

test('is shown once, stored as a hash and listed with its last use', async () => {
  const account = await verified('maker');
  const { status, body } = await create(account);
  expect(status).toBe(201);
  const { token, ...shown } = body;
  expect(token).toMatch(TOKEN);
  expect(shown).toMatchObject({ name: 'Backup', scopes: ['notes:read'], lastUsedAt: null });
  expect(await list(account)).toEqual([shown]);
  const stored = JSON.stringify(await app.db.query('SELECT * FROM personal_tokens'));
  expect(stored).not.toContain(String(token).slice(11, 54));
  expect((await exchange(String(token))).status).toBe(200);
  expect(await list(account)).toEqual([{ ...shown, lastUsedAt: expect.any(String) }]);
});

test('is exchanged for an access token of the account with its scopes', async () => {
  const account = await verified('exchanger');
  const { id, token } = await newToken(account, { scopes: ['notes:read', 'links:write'] });
  const { body } = await exchange(token);
  expect(claimsOf(body['accessToken'])).toMatchObject({
    sub: account.id,
    sid: id,
    scope: 'notes:read links:write',
  });
});

test('reads the account with its scope, and changes nothing of it', async () => {
  const account = await verified('reader');
  const { token } = await newToken(account, { scopes: ['account:read'] });
  expect((await app.call('GET', '/user/me', { token })).status).toBe(200);
  const denied = [
    await app.call('PATCH', '/user/me', { token, body: { bio: 'Taken over' } }),
    await app.call('GET', '/user/sessions', { token }),
    await app.call('GET', '/user/tokens', { token }),
    await app.call('POST', '/user/tokens', { token, body: BODY }),
    await app.call('DELETE', '/user/me', { token, body: { password: PASSWORD } }),
  ];
  for (const { status, headers } of denied) {
    expect([status, headers['error-code']]).toEqual([403, 'insufficient-scope']);
  }
  const { token: other } = await newToken(account);
  expect((await app.call('GET', '/user/me', { token: other })).status).toBe(403);
});

test('needs the password, a verified address and one of the scopes', async () => {
  const account = await verified('prover');
  expect(await create(account, { password: 'a wrong guess' })).toMatchObject({ status: 401 });
  for (const changes of [
    { scopes: [] },
    { scopes: ['all'] },
    { expiresInDays: 366 },
    { name: ' ' },
  ]) {
    expect(await create(account, changes)).toMatchObject({ status: 422 });
  }
  await app.db.query('UPDATE accounts SET email_verified_at = NULL WHERE id = $1', [account.id]);
  expect((await create(account)).headers['error-code']).toBe('email-not-verified');
  expect(await list(account)).toEqual([]);
});

test('an account has at most twenty', async () => {
  const account = await verified('collector');
  for (let count = 0; count < 20; count += 1) await newToken(account);
  const refused = await create(account);
  expect([refused.status, refused.headers['error-code']]).toEqual([409, 'too-many-tokens']);
});

test('ends when it is revoked, and its access tokens with it', async () => {
  const account = await verified('revoker');
  const { id, token } = await newToken(account, { scopes: ['account:read'] });
  expect((await app.call('GET', '/user/me', { token })).status).toBe(200);
  const other = await verified('meddler');
  const end = ({ accessToken }: TestAccount) =>
    app.call('DELETE', `/user/tokens/${id}`, { token: accessToken });
  expect((await end(other)).status).toBe(404);
  await endAccess(id);
  expect((await end(account)).status).toBe(204);
  expect((await app.call('GET', '/user/me', { token })).status).toBe(401);
  expect((await exchange(token)).status).toBe(401);
  const published = await app.call('GET', '/internal/revoked-sessions');
  expect(JSON.stringify(published.body)).toContain(sessionDigest(id));
});

test('ends with all sessions of the account, but not with all others', async () => {
  const account = await verified('leaver');
  const { id, token } = await newToken(account);
  await exchange(token);
  await app.call('DELETE', '/user/sessions', { token: account.accessToken });
  expect((await exchange(token)).status).toBe(200);
  const resets = await app.call('POST', '/auth/forgot-password', {
    body: { email: account.email },
  });
  expect(resets.status).toBeLessThan(300);
  await endAccess(id);
  const reset = await app.emailToken(account.email, 'reset-password');
  const body = { password: 'another walk in the rain' };
  expect((await app.call('POST', `/auth/reset-password/${reset}`, { body })).status).toBe(200);
  expect((await exchange(token)).status).toBe(401);
  const published = await app.call('GET', '/internal/revoked-sessions');
  expect(JSON.stringify(published.body)).toContain(sessionDigest(id));
});

test('does not work once it has expired or while the account is suspended, and is purged', async () => {
  const account = await verified('sleeper');
  const { token } = await newToken(account, { expiresInDays: 1 });
  await app.db.query('UPDATE accounts SET suspended_at = now() WHERE id = $1', [account.id]);
  expect((await exchange(token)).status).toBe(401);
  await app.db.query('UPDATE accounts SET suspended_at = NULL WHERE id = $1', [account.id]);
  expect((await exchange(token)).status).toBe(200);
  app.clock.advanceMs = 86_400_000;
  expect((await exchange(token)).status).toBe(401);
  await app.runJob('purge');
  expect(
    await app.db.query('SELECT 1 FROM personal_tokens WHERE account_id = $1', [account.id]),
  ).toEqual([]);
  app.clock.advanceMs = 0;
});
