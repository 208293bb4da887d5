import { parseKeyRing } from '@atrium/service-kit/key-ring';
import * as client from 'openid-client';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { rotateSigningKey } from '../signing-keys/rotation.ts';
import { TEST_KEYS } from '../test-app.ts';
import {
  beginLogin,
  logInTo,
  makeApplication,
  makeVerified,
  openBrowser,
  relyingParty,
  startOauthApp,
  uidOf,
} from './oauth.fixture.ts';

const MINUTE_MS = 60_000;
const kidOf = (token = '') =>
  JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()).kid;

const printed: unknown[] = [];
beforeEach(() => {
  printed.length = 0;
  for (const method of ['info', 'warn', 'error'] as const) {
    vi.spyOn(console, method).mockImplementation((...line) => void printed.push(line));
  }
});
afterEach(() => vi.restoreAllMocks());

test('keys that rotate in the middle of a login break nothing', async () => {
  await using started = await startOauthApp();
  const { app, origin } = started;
  const owner = await makeVerified(app, 'owner');
  const made = await makeApplication(app, owner.accessToken);
  const config = await relyingParty(origin, made);
  const browser = openBrowser(origin);
  const scope = 'openid account:read';
  const before = await logInTo(config, browser, 'owner', { scope });

  const login = await beginLogin(config, { scope, prompt: 'consent' });
  const page = await browser.open(login.url);
  await rotateSigningKey({
    database: app.db,
    keyRing: parseKeyRing([TEST_KEYS]),
    accessTokenTtlSeconds: 900,
    // It signs after a quarter of an hour: in half a second.
    nowMs: Date.now() - 15 * MINUTE_MS + 500,
    atOnce: false,
  });
  // The process learns of the key when somebody names one that it does not know.
  app.clock.advanceMs = 1500;
  const unknown = before.access_token.replace(/^[^.]+/, () =>
    Buffer.from(JSON.stringify({ alg: 'EdDSA', typ: 'at+jwt', kid: 'new' })).toString('base64url'),
  );
  await app.call('GET', '/user/me', { token: unknown });
  const token = await browser.logIn('owner');
  const tokens = await login.finish(await browser.answer(uidOf(page), 'allow', token));
  expect(kidOf(tokens.access_token)).not.toBe(kidOf(before.access_token));
  expect(kidOf(tokens.id_token)).not.toBe(kidOf(before.id_token));
  const { access_token: fresh } = await client.refreshTokenGrant(
    config,
    tokens.refresh_token ?? '',
  );
  expect((await app.call('GET', '/user/me', { token: fresh })).status).toBe(200);

  // The old key is withdrawn, but an application may still show what it has signed.
  app.clock.advanceMs = 20 * MINUTE_MS;
  await app.runJob('rotate-signing-key');
  const logOut = (hint = '') =>
    browser.send(client.buildEndSessionUrl(config, { id_token_hint: hint }));
  expect((await logOut(before.id_token)).status).toBe(200);
  expect((await logOut(tokens.id_token)).status).toBe(200);
  const [, payload] = before.id_token?.split('.') ?? [];
  const forged = tokens.id_token?.replace(/\.[^.]+\./, `.${payload}.`);
  expect((await logOut(forged)).status).toBe(400);
  // An outage says nothing about the hint.
  await app.db.query(
    `CREATE FUNCTION fail_over() RETURNS boolean LANGUAGE plpgsql AS
       $$ BEGIN RAISE 'terminating connection' USING ERRCODE = '57P01'; END $$`,
  );
  await app.db.query('ALTER TABLE signing_keys RENAME TO signing_keys_away');
  await app.db.query(
    'CREATE VIEW signing_keys AS SELECT * FROM signing_keys_away WHERE fail_over()',
  );
  const unavailable = await logOut(tokens.id_token);
  expect([unavailable.status, unavailable.headers.get('retry-after')]).toEqual([503, '5']);
  // The library prints what it thinks should be configured.
  expect(printed).toEqual([]);
});
