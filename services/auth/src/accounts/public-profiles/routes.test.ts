import { newId } from '@atrium/contracts/ids';
import { afterAll, expect, test } from 'vitest';
import { makeAccount, startTestApp } from '../../test-app.ts';

const app = await startTestApp();
afterAll(() => app[Symbol.asyncDispose]());

const ada = await makeAccount(app, 'public-ada');
const eve = await makeAccount(app, 'public-eve');
const get = (ids: string, token: string | undefined = eve.accessToken) =>
  app.call('GET', `/users?ids=${ids}`, token === '' ? {} : { token });

test('shows the public profile of each account and nothing else of it', async () => {
  const { status, body } = await get([ada.id, eve.id, newId('usr'), ada.id, 'x'].join(','));
  expect(status).toBe(200);
  expect(body['data']).toHaveLength(2);
  expect(body['data']).toContainEqual({
    id: ada.id,
    name: expect.any(String),
    username: ada.username,
    avatar: null,
  });
});

test('gives an uploaded avatar its whole URL', async () => {
  await app.db.query('UPDATE accounts SET avatar = $2 WHERE id = $1', [ada.id, 'avatars/x']);
  const { body } = await get(ada.id);
  expect(body['data']).toMatchObject([
    { avatar: expect.stringMatching(/^https?:.*\/avatars\/x$/) },
  ]);
});

test('returns 401 without a token, 400 without ids and 422 for more than 100', async () => {
  expect((await get(ada.id, '')).status).toBe(401);
  const call = (path: string) => app.call('GET', path, { token: eve.accessToken });
  expect((await call('/users')).status).toBe(400);
  const ids = Array.from({ length: 101 }, () => newId('usr'));
  expect(await get(ids.join(','))).toMatchObject({ status: 422 });
  expect(await get(ids.slice(1).join(','))).toMatchObject({ status: 200, body: { data: [] } });
});
