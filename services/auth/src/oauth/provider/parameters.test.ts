import { IDENTITY_SCOPES, SCOPES } from '@atrium/contracts/auth/scope-names';
import { afterAll, expect, test } from 'vitest';
import { startDevice } from '../device-login/device.fixture.ts';
import {
  beginLogin,
  CALLBACK,
  logInTo,
  makeApplication,
  makeVerified,
  openBrowser,
  relyingParty,
  startOauthApp,
} from '../oauth.fixture.ts';

const { app, origin, ...started } = await startOauthApp();
afterAll(() => started[Symbol.asyncDispose]());

const owner = await makeVerified(app, 'owner');
const made = await makeApplication(app, owner.accessToken);
const config = await relyingParty(origin, made);
const browser = openBrowser(origin);
await logInTo(config, browser, 'owner');

test('every scope that an application can be registered for is named', async () => {
  const named = config.serverMetadata().scopes_supported;
  expect(named).toEqual([...IDENTITY_SCOPES, ...SCOPES]);
});

/** What the application is answered. */
async function answerTo(parameters: Record<string, string>) {
  const { searchParams } = await browser.open((await beginLogin(config, parameters)).url);
  return [searchParams.get('error'), searchParams.has('code')];
}

test.each([
  ['state', 1024],
  ['nonce', 512],
  ['login_hint', 512],
  ['ui_locales', 256],
  ['claims_locales', 256],
  ['display', 256],
  ['acr_values', 256],
])('%s, which is stored, has %i characters at most', async (name, max) => {
  expect(await answerTo({ [name]: 'x'.repeat(max) })).toEqual([null, true]);
  expect(await answerTo({ [name]: 'x'.repeat(max + 1) })).toEqual(['invalid_request', false]);
});

test.each([
  ['scope', 'openid '.padEnd(2000, 'x')],
  ['login_hint', 'x'.repeat(513)],
])('a device cannot have a long %s stored', async (name, value) => {
  const { status, body } = await startDevice(origin, { [name]: value });
  expect([status, body['error']]).toEqual([400, 'invalid_request']);
  expect(body['message']).toMatch(/^\w+ has \d+ characters at most$/);
});

test('a pushed request has the same bounds', async () => {
  const pushed = await fetch(`${origin}/oauth/par`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa(`${made.id}:${made.secret}`)}` },
    body: new URLSearchParams({
      ...Object.fromEntries((await beginLogin(config)).url.searchParams),
      redirect_uri: CALLBACK,
      login_hint: 'x'.repeat(513),
    }),
  });
  expect(await pushed.json()).toMatchObject({ error: 'invalid_request' });
});

test.each(['', 'x', 'offline_access'])(
  'the scope "%s" is answered invalid_scope',
  async (scope) => {
    expect(await answerTo({ scope, nonce: '' })).toEqual(['invalid_scope', false]);
  },
);

test('a device without a scope is answered invalid_scope', async () => {
  const { status, body } = await startDevice(origin, { scope: '' });
  expect([status, body['error']]).toEqual([400, 'invalid_scope']);
});
