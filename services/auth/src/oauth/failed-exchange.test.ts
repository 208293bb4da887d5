import { afterAll, beforeEach, expect, test } from 'vitest';
import { PASSWORD } from '../test-app.ts';
import {
  beginLogin,
  CALLBACK,
  logInTo,
  makeApplication,
  makeVerified,
  openBrowser,
  relyingParty,
  startOauthApp,
} from './oauth.fixture.ts';

const { app, origin, ...started } = await startOauthApp();
afterAll(() => started[Symbol.asyncDispose]());

const { accessToken: token } = await makeVerified(app, 'owner');
const made = await makeApplication(app, token);
const config = await relyingParty(origin, made);
const scope = 'openid account:read';
const browser = openBrowser(origin);
const logIn = () => logInTo(config, browser, 'owner', { scope });

async function exchange(body: Record<string, string>) {
  const response = await fetch(`${origin}/oauth/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa(`${made.id}:${made.secret}`)}` },
    body: new URLSearchParams(body),
  });
  const { error } = (await response.json()) as { error?: string };
  const asked = ['error-code', 'retry-after'].flatMap((name) => response.headers.get(name) ?? []);
  return [response.status, asked.join(' ') || error];
}

const refresh = (refreshToken = '') =>
  exchange({ grant_type: 'refresh_token', refresh_token: refreshToken });

// Postgres ends connections like this when another server takes over.
await app.db.query(
  `CREATE FUNCTION fail_over() RETURNS trigger LANGUAGE plpgsql AS
     $$ BEGIN RAISE 'terminating connection' USING ERRCODE = '57P01'; END $$`,
);
const failAt = (statement: string) =>
  app.db.query(`CREATE TRIGGER away BEFORE ${statement} EXECUTE FUNCTION fail_over()`);
const recover = (table: string) => app.db.query(`DROP TRIGGER IF EXISTS away ON ${table}`);

beforeEach(async () => {
  await recover('oauth_grants');
  await recover('oauth_records');
});

test('a refresh that failed is repeated, and leaves no token that nobody has', async () => {
  const { refresh_token: refreshToken } = await logIn();
  const unused = () =>
    app.db.query(`SELECT FROM oauth_records WHERE model = 'RefreshToken' AND consumed_at IS NULL`);
  const before = await unused();
  await failAt('UPDATE ON oauth_grants');
  expect(await refresh(refreshToken)).toEqual([503, 'unavailable 5']);
  await recover('oauth_grants');
  expect(await unused()).toEqual(before);
  expect(await refresh(refreshToken)).toEqual([200, undefined]);
  expect(await refresh(refreshToken)).toEqual([400, 'invalid_grant']);
});

test('a code whose exchange failed works when it is sent again, and then no more', async () => {
  await logIn();
  const { url, checks } = await beginLogin(config, { scope });
  const code = (await browser.open(url)).searchParams.get('code') ?? '';
  const body = {
    grant_type: 'authorization_code',
    code,
    redirect_uri: CALLBACK,
    code_verifier: checks.pkceCodeVerifier,
  };
  await failAt('UPDATE ON oauth_grants');
  expect(await exchange(body)).toEqual([503, 'unavailable 5']);
  await recover('oauth_grants');
  expect(await exchange(body)).toEqual([200, undefined]);
  expect(await exchange(body)).toEqual([400, 'invalid_grant']);
});

test('no repeat is asked for when it would look like a replay', async () => {
  const { refresh_token: refreshToken } = await logIn();
  await failAt('UPDATE ON oauth_grants');
  await app.db.query(
    `CREATE TRIGGER away BEFORE UPDATE ON oauth_records FOR EACH ROW
       WHEN (OLD.consumed_at IS NOT NULL AND NEW.consumed_at IS NULL) EXECUTE FUNCTION fail_over()`,
  );
  expect(await refresh(refreshToken)).toEqual([500, 'server_error']);
});

test.each([
  ['no code of ours', {}, 'authorization code not found'],
  [
    'another redirect URL',
    { redirect_uri: 'https://rp.example/' },
    'authorization code redirect_uri mismatch',
  ],
  [
    'another verifier',
    { code_verifier: 'x'.repeat(43) },
    'code_verifier does not match code_challenge',
  ],
])('an exchange with %s says what is wrong', async (what, changes, message) => {
  await logIn();
  const { url, checks } = await beginLogin(config, { scope });
  const code = (await browser.open(url)).searchParams.get('code') ?? '';
  const response = await fetch(`${origin}/oauth/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa(`${made.id}:${made.secret}`)}` },
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      code: what === 'no code of ours' ? 'made-up' : code,
      redirect_uri: CALLBACK,
      code_verifier: checks.pkceCodeVerifier,
      ...changes,
    }),
  });
  expect(await response.json()).toMatchObject({
    error: 'invalid_grant',
    error_description: message,
  });
});

test('an exchange whose grant a parallel replay has ended is refused', async () => {
  await logIn();
  const { url, checks } = await beginLogin(config, { scope });
  const code = (await browser.open(url)).searchParams.get('code') ?? '';
  await app.db.query(
    `CREATE FUNCTION end_grant() RETURNS trigger LANGUAGE plpgsql AS
       $$ BEGIN DELETE FROM oauth_grants WHERE id = NEW.grant_id; RETURN NEW; END $$`,
  );
  await app.db.query(
    `CREATE TRIGGER away BEFORE INSERT ON oauth_records FOR EACH ROW
       WHEN (NEW.model = 'RefreshToken') EXECUTE FUNCTION end_grant()`,
  );
  const answer = await exchange({
    grant_type: 'authorization_code',
    code,
    redirect_uri: CALLBACK,
    code_verifier: checks.pkceCodeVerifier,
  });
  expect(answer).toEqual([400, 'invalid_grant']);
});

test('a request that its application must change counts as a refresh', async () => {
  const { refresh_token: refreshToken = '' } = await logIn();
  const elsewhere = () =>
    exchange({
      grant_type: 'refresh_token',
      refresh_token: refreshToken,
      resource: 'https://elsewhere.example',
    });
  expect(await elsewhere()).toEqual([400, 'invalid_target']);
  expect(await elsewhere()).toEqual([400, 'invalid_grant']);
});

test('a login outlasts a time in which its application may ask for nothing', async () => {
  const { refresh_token: refreshToken } = await logIn();
  const allow = (scopes: string[]) =>
    app.call('PATCH', `/applications/${made.id}`, { token, body: { scopes, password: PASSWORD } });
  await allow([]);
  expect(await refresh(refreshToken)).toEqual([400, 'invalid_scope']);
  expect(await refresh(refreshToken)).toEqual([400, 'invalid_scope']);
  await allow(['account:read']);
  expect(await refresh(refreshToken)).toEqual([200, undefined]);
});
