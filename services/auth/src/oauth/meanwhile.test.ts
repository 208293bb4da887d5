import { untilBlocked } from '@atrium/testkit/locks';
import * as client from 'openid-client';
import { afterAll, describe, expect, test } from 'vitest';
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
import { deleteWaitingRequests } from './applications/store.ts';
import { revokeSessions } from '../sessions/store.ts';
import { makeAccount, PASSWORD } from '../test-app.ts';

const { app, origin, restart, ...started } = await startOauthApp();
afterAll(() => started[Symbol.asyncDispose]());

const owner = await makeVerified(app, 'owner');
await makeVerified(app, 'person');
const scope = 'openid account:read';

async function begin() {
  const made = await makeApplication(app, owner.accessToken);
  const config = await relyingParty(origin, made);
  const browser = openBrowser(origin);
  const login = await beginLogin(config, { scope });
  const page = await browser.open(login.url);
  const logIn = () => browser.logIn('person');
  const allow = async (token?: string) =>
    browser.answer(uidOf(page), 'allow', token ?? (await logIn()));
  const remove = () => app.call('DELETE', `/applications/${made.id}`, { token: owner.accessToken });
  return { id: made.id, login, logIn, allow, remove };
}

test('a login goes on when auth is restarted, before and after the person allows it', async () => {
  const { login, allow } = await begin();
  await restart();
  const page = await allow();
  await restart();
  const tokens = await login.finish(page);
  expect((await app.call('GET', '/user/me', { token: tokens.access_token })).status).toBe(200);
});

describe('an application that is deleted meanwhile', () => {
  test('is not allowed any more, and the person is told', async () => {
    const { allow, remove } = await begin();
    expect((await remove()).status).toBe(204);
    await expect(allow()).rejects.toThrow('This request has expired');
  });

  test('gets nothing for its code', async () => {
    const { login, allow, remove } = await begin();
    const page = await allow();
    await remove();
    await expect(login.finish(page)).rejects.toMatchObject({
      status: 401,
      cause: [{ parameters: { error: 'invalid_client' } }],
    });
  });
});

test('an application whose scopes are changed meanwhile has to ask again', async () => {
  const { id, allow } = await begin();
  const { status } = await app.call('PATCH', `/applications/${id}`, {
    token: owner.accessToken,
    body: { scopes: ['account:read', 'notes:write'], password: PASSWORD },
  });
  expect(status).toBe(200);
  await expect(allow()).rejects.toThrow('This request has expired');
});

test('and so has one whose scopes are changed while the answer of the person is read', async () => {
  const { id, logIn, allow } = await begin();
  const token = await logIn();
  const { answer } = await app.db.transaction({ job: 'test' }, async (tx) => {
    await tx.query('LOCK TABLE applications');
    const answered = allow(token);
    // It has found the request, and waits for its application.
    await untilBlocked(app.db);
    const widen = `UPDATE applications SET scopes = '{account:read,notes:write}' WHERE id = $1`;
    await tx.query(widen, [id]);
    await deleteWaitingRequests(tx, id);
    return { answer: answered };
  });
  await expect(answer).rejects.toThrow('This request has expired');
});

test('a device whose application gets other scopes meanwhile has to ask again', async () => {
  const person = await makeAccount(app, 'careful');
  const made = await makeApplication(app, owner.accessToken, { kind: 'native' });
  const codes = await client.initiateDeviceAuthorization(
    await relyingParty(origin, { id: made.id }),
    { scope: 'openid account:read' },
  );
  const path = `/auth/device/${codes.user_code}`;
  const { accessToken: token } = person;
  expect((await app.call('GET', path, { token })).status).toBe(200);
  await app.call('PATCH', `/applications/${made.id}`, {
    token: owner.accessToken,
    body: { scopes: ['account:read', 'notes:write'], password: PASSWORD },
  });
  const confirmed = await app.call('POST', `${path}/confirm`, {
    token,
    body: { password: PASSWORD },
  });
  expect(confirmed.status).toBe(404);
});

test.each([60, -60])('a program whose clock is off by %i s logs in', async (seconds) => {
  const made = await makeApplication(app, owner.accessToken);
  const config = await relyingParty(origin, made, { [client.clockSkew]: seconds });
  const tokens = await logInTo(config, openBrowser(origin), 'person', { scope });
  expect(tokens.claims()?.sub).toMatch(/^usr_/);
});

test('a session that is revoked during an authorization leaves no grant', async () => {
  const { id } = await makeVerified(app, 'leaver');
  const config = await relyingParty(origin, await makeApplication(app, owner.accessToken));
  const browser = openBrowser(origin);
  await logInTo(config, browser, 'leaver', { scope });
  const { url } = await beginLogin(config, { scope });
  const { opened } = await app.db.transaction({ job: 'test' }, async (tx) => {
    await tx.query('SELECT 1 FROM accounts WHERE id = $1 FOR NO KEY UPDATE', [id]);
    const page = browser.open(url);
    await untilBlocked(app.db);
    await revokeSessions(tx, { accountId: id }, Date.now());
    return { opened: page };
  });
  await opened;
  expect(await app.db.query('SELECT 1 FROM oauth_grants WHERE account_id = $1', [id])).toEqual([]);
});
