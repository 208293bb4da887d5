import { Transformer } from '@napi-rs/image';
import { afterAll, expect, test } from 'vitest';
import {
  logInTo,
  makeApplication,
  makeVerified,
  openBrowser,
  relyingParty,
  startOauthApp,
  uidOf,
  beginLogin,
} from '../oauth.fixture.ts';

const { app, origin, ...started } = await startOauthApp();
afterAll(() => started[Symbol.asyncDispose]());

const owner = await makeVerified(app, 'owner');
await makeVerified(app, 'person');
const made = await makeApplication(app, owner.accessToken);
const path = `/applications/${made.id}`;
const png = await Transformer.fromRgbaPixels(Buffer.alloc(60 * 40 * 4, 200), 60, 40).png();

async function upload(token = owner.accessToken, image = png, type = 'image/png') {
  const response = await app.server.inject({
    method: 'PUT',
    url: `${path}/logo`,
    headers: { authorization: `Bearer ${token}`, 'content-type': type },
    payload: image,
  });
  return { status: response.statusCode, body: response.json() };
}

const served = (url: string) => app.server.inject(new URL(url).pathname);

test('a logo is encoded as avatars are, replaced and removed', async () => {
  const { accessToken: token } = owner;
  expect((await app.call('GET', path, { token })).body['logo']).toBeNull();
  const first = await upload();
  expect(first.status).toBe(200);
  expect(first.body.logo).toMatch(new RegExp(`^${origin}/avatars/[\\w-]{22}$`));
  const image = new Transformer((await served(first.body.logo)).rawPayload);
  expect(await image.metadata()).toMatchObject({ width: 40, height: 40, format: 'webp' });
  expect((await app.call('GET', path, { token })).body).toEqual(first.body);
  const second = await upload();
  expect((await served(first.body.logo)).statusCode).toBe(404);
  const removed = await app.call('DELETE', `${path}/logo`, { token });
  expect([removed.status, removed.body['logo']]).toEqual([200, null]);
  expect((await served(second.body.logo)).statusCode).toBe(404);
});

test('what changes nothing is not in the audit trail', async () => {
  const { accessToken: token } = await makeVerified(app, 'idle');
  const idle = await makeApplication(app, token);
  const readTimes = () =>
    app.db.query('SELECT created_at, updated_at FROM applications WHERE id = $1', [idle.id]);
  const before = await readTimes();
  app.clock.advanceMs = 1000;
  for (const body of [{}, { name: 'Reading list' }]) {
    expect((await app.call('PATCH', `/applications/${idle.id}`, { token, body })).status).toBe(200);
  }
  const removed = await app.call('DELETE', `/applications/${idle.id}/logo`, { token });
  expect([removed.status, removed.body['logo']]).toEqual([200, null]);
  app.clock.advanceMs = 0;
  expect(await readTimes()).toEqual(before);
  const { body } = await app.call('GET', '/user/audit?category=application', { token });
  expect(body['data']).toMatchObject([{ kind: 'application.created' }]);
});

test('what is not an image is refused, and whoever does not own the application', async () => {
  const stranger = await makeVerified(app, 'stranger');
  const answers = [
    await upload(stranger.accessToken),
    await upload(owner.accessToken, Buffer.from('<svg/>')),
    await upload(owner.accessToken, png, 'image/svg+xml'),
    await upload(owner.accessToken, Buffer.alloc(5_300_000)),
  ];
  expect(answers.map(({ status }) => status)).toEqual([404, 422, 415, 413]);
});

test('people see it when they are asked and among what they have allowed', async () => {
  const { logo } = (await upload()).body;
  const config = await relyingParty(origin, made);
  const browser = openBrowser(origin);
  const login = await beginLogin(config, { scope: 'openid account:read' });
  const uid = uidOf(await browser.open(login.url));
  const asked = await browser.send(`/auth/authorize/${uid}/request`);
  expect(await asked.json()).toMatchObject({ application: { logo } });
  await logInTo(config, browser, 'person', { scope: 'openid account:read' });
  const token = await browser.logIn('person');
  const { body } = await app.call('GET', '/user/grants', { token });
  expect(body['data']).toMatchObject([{ application: { logo } }]);
});

test('the logo goes with the application', async () => {
  const { logo } = (await upload()).body;
  await app.call('DELETE', path, { token: owner.accessToken });
  expect((await served(logo)).statusCode).toBe(404);
});
