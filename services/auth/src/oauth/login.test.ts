import * as client from 'openid-client';
import { afterAll, expect, test } from 'vitest';
import {
  beginLogin,
  CALLBACK,
  makeApplication,
  makeVerified,
  openBrowser,
  relyingParty,
  startOauthApp,
  uidOf,
} from './oauth.fixture.ts';

const { app, origin, ...started } = await startOauthApp();
afterAll(() => started[Symbol.asyncDispose]());

test('somebody logs in to an application, allows it once and is then passed through', async () => {
  const owner = await makeVerified(app, 'owner');
  const made = await makeApplication(app, owner.accessToken);
  const person = await makeVerified(app, 'person');
  const config = await relyingParty(origin, made);
  const browser = openBrowser(origin);

  const first = await beginLogin(config, { scope: 'openid profile email notes:read' });
  const page = await browser.open(first.url);
  expect(page.href).toMatch(/^https:\/\/web\.example\/authorize\/[\w-]+$/);
  const shown = await (await browser.send(`/auth/authorize/${uidOf(page)}/request`)).json();
  expect(shown).toMatchObject({
    application: { id: made.id, name: 'Reading list', owner: 'Ada Lovelace', isFirstParty: false },
    host: 'rp.example',
    prompt: 'login',
    scopes: ['openid', 'profile', 'email', 'notes:read'],
    account: null,
  });
  const token = await browser.logIn('person');
  const back = await browser.answer(uidOf(page), 'allow', token);
  expect(back.href.startsWith(`${CALLBACK}?code=`)).toBe(true);
  expect(back.searchParams.get('iss')).toBe(origin);
  const tokens = await first.finish(back);
  expect(tokens.claims()).toMatchObject({
    sub: person.id,
    aud: made.id,
    iss: origin,
    name: 'Ada Lovelace',
    email: person.email,
    email_verified: true,
  });
  expect(tokens.scope).toBe('notes:read');
  const list = await app.call('GET', '/applications', { token: owner.accessToken });
  expect(list.body['data']).toMatchObject([{ id: made.id, people: 1 }]);

  const second = await beginLogin(config, { scope: 'openid notes:read' });
  const response = await browser.send(second.url);
  const location = new URL(response.headers.get('location') ?? '');
  expect([response.status, location.origin]).toEqual([303, 'https://rp.example']);
  expect((await second.finish(location)).claims()?.sub).toBe(person.id);
});

test('logins to several applications at once all last', async () => {
  const owner = await makeVerified(app, 'many');
  const browser = openBrowser(origin);
  await browser.logIn('many');
  const begin = async () => {
    const made = await makeApplication(app, owner.accessToken);
    await app.db.query('UPDATE applications SET is_first_party = true WHERE id = $1', [made.id]);
    const config = await relyingParty(origin, made);
    return { config, login: await beginLogin(config) };
  };
  const begun = [await begin(), await begin(), await begin()];
  const pages = await Promise.all(begun.map(({ login }) => browser.open(login.url)));
  for (const [index, { config, login }] of begun.entries()) {
    const page = pages[index] ?? new URL(origin);
    const { refresh_token: refreshToken = '' } = await login.finish(page);
    const next = await client.refreshTokenGrant(config, refreshToken);
    expect(next.access_token).toEqual(expect.any(String));
  }
});
