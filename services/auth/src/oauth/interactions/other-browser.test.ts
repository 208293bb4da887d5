import { afterAll, describe, expect, test } from 'vitest';
import {
  beginLogin,
  makeApplication,
  makeVerified,
  openBrowser,
  relyingParty,
  startOauthApp,
  uidOf,
} from '../oauth.fixture.ts';

const { app, origin, ...started } = await startOauthApp();
afterAll(() => started[Symbol.asyncDispose]());

const owner = await makeVerified(app, 'owner');
await makeVerified(app, 'victim');
await makeVerified(app, 'attacker');
const config = await relyingParty(origin, await makeApplication(app, owner.accessToken));
const scope = 'openid account:read';

describe('security 39: nobody can have another person allow their request', () => {
  test('the link to the page works only in the browser that began the request', async () => {
    const attackers = openBrowser(origin);
    const { url } = await beginLogin(config, { scope });
    const uid = uidOf(await attackers.open(url));
    const victims = openBrowser(origin);
    const token = await victims.logIn('victim');
    const shown = await victims.send(`/auth/authorize/${uid}/request`);
    expect([shown.status, shown.headers.get('error-code')]).toEqual([404, 'authorization-expired']);
    await expect(victims.answer(uid, 'allow', token)).rejects.toThrow('404');
    await expect(victims.answer(uid, 'deny', token)).rejects.toThrow('404');
    // Even with a request of their own open.
    const own = uidOf(await victims.open((await beginLogin(config, { scope })).url));
    await expect(victims.answer(uid, 'allow', token)).rejects.toThrow('404');
    const ofOwn = [...victims.cookies.values()].filter(({ path }) => path.endsWith(`/${own}`));
    const cookie = ofOwn.map(({ name, value }) => `${name}=${value}`).join('; ');
    const statusFor = async (each: string) =>
      (await fetch(`${origin}/auth/authorize/${each}/request`, { headers: { cookie } })).status;
    expect([await statusFor(own), await statusFor(uid)]).toEqual([200, 404]);
    expect((await attackers.open(`/auth/authorize/${uid}`)).pathname).toMatch(/^\/auth/);
  });

  test('the access token of a victim allows nothing in the browser of an attacker', async () => {
    const attackers = openBrowser(origin);
    await attackers.logIn('attacker');
    const { url } = await beginLogin(config, { scope });
    const uid = uidOf(await attackers.open(url));
    const victims = await openBrowser(origin).logIn('victim');
    await expect(attackers.answer(uid, 'allow', victims)).rejects.toThrow('401');
  });

  test('a forged cookie is not taken', async () => {
    const attackers = openBrowser(origin);
    const { url } = await beginLogin(config, { scope });
    const uid = uidOf(await attackers.open(url));
    const cookie = `authorization=${uid}; authorization.sig=AAAAAAAAAAAAAAAAAAAAAAAAAAA`;
    const shown = await fetch(`${origin}/auth/authorize/${uid}/request`, { headers: { cookie } });
    expect(shown.status).toBe(404);
  });
});
