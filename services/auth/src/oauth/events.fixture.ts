import { PASSWORD, type TestApp } from '../test-app.ts';
import {
  beginLogin,
  makeApplication,
  makeVerified,
  openBrowser,
  relyingParty,
  uidOf,
} from './oauth.fixture.ts';

/** Causes every kind of event about applications. @returns what no log may contain */
export async function causeApplicationEvents(app: TestApp, origin: string): Promise<string[]> {
  const { accessToken: token } = await makeVerified(app, 'developer');
  const made = await makeApplication(app, token);
  const path = `/applications/${made.id}`;
  await app.call('PATCH', path, { token, body: { name: 'Bookshelf' } });
  const proof = { password: PASSWORD };
  const { body: added } = await app.call('POST', `${path}/secrets`, { token, body: proof });
  await app.call('DELETE', `${path}/secrets/${String(added['id'])}`, { token });

  const browser = openBrowser(origin);
  const login = await beginLogin(await relyingParty(origin, made));
  const uid = uidOf(await browser.open(login.url));
  const back = await browser.answer(uid, 'allow', await browser.logIn('developer'));
  const tokens = await login.finish(back);
  await login.finish(back).catch((error: Error) => error);

  const { body: grants } = await app.call('GET', '/user/grants', { token });
  const [grant] = grants['data'] as { id: string }[];
  await app.call('DELETE', `/user/grants/${grant?.id}`, { token });
  await app.call('DELETE', path, { token });
  const { access_token: access, refresh_token: refresh = '', id_token: id = '' } = tokens;
  const code = back.searchParams.get('code') ?? '';
  return [made.secret, String(added['secret']), uid, code, access, refresh, id];
}
