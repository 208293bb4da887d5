import { until } from '@atrium/testkit/until';
import { Redis } from 'ioredis';
import { expect, test } from 'vitest';
import { logIn, createPerson, PASSWORD, type Person } from '../../accounts.ts';
import { call, text } from '../../client.ts';
import { atrium } from './platform.ts';

const { auth, notes, links, webhooks } = atrium.urls;

const makeUser = (username: string) => createPerson(auth, atrium.mailbox, username);
const OTHER_SERVICES = [
  `${notes}/api/workspaces`,
  `${links}/api/links`,
  `${webhooks}/api/webhooks`,
];
const statusesOf = (urls: string[], token: string) =>
  Promise.all(urls.map(async (url) => (await call('GET', url, { token })).status));
const atOtherServices = (token: string) => statusesOf(OTHER_SERVICES, token);
const withCookie = (cookie: string) => ({ headers: { cookie: `refreshToken=${cookie}` } });

/** Every service has the token in its cache and rejects it soon after `end`. */
async function expectEndEverywhere(
  { accessToken, refreshCookie }: Pick<Person, 'accessToken' | 'refreshCookie'>,
  end: () => Promise<unknown>,
): Promise<void> {
  expect(await atOtherServices(accessToken)).toEqual([200, 200, 200]);
  await end();
  const response = await call('GET', `${auth}/user/me`, { token: accessToken });
  expect([response.status, response.body]).toEqual([
    401,
    { error: 'Unauthorized', message: 'Invalid token' },
  ]);
  await until(async () => (await atOtherServices(accessToken)).every((status) => status === 401));
  const refreshed = await call('POST', `${auth}/auth/refresh`, withCookie(refreshCookie));
  expect(refreshed.status).toBe(401);
}

test('security 19: every service rejects both tokens after a logout', async () => {
  const person = await makeUser('leaver');
  await expectEndEverywhere(person, () =>
    call('POST', `${auth}/auth/logout`, withCookie(person.refreshCookie)),
  );
});

test('security 19: every service rejects a revoked session and no other', async () => {
  const person = await makeUser('revoker');
  const other = await logIn(auth, person);
  const { body } = await call('GET', `${auth}/user/sessions`, { token: other.accessToken });
  const { id } = (body['data'] as { id: string; current: boolean }[]).find(
    (one) => one.current,
  ) ?? {
    id: '',
  };
  await expectEndEverywhere(other, () =>
    call('DELETE', `${auth}/user/sessions/${id}`, { token: person.accessToken }),
  );
  expect(await atOtherServices(person.accessToken)).toEqual([200, 200, 200]);
});

test('security 19: every service rejects the other sessions after a password change', async () => {
  const person = await makeUser('changer');
  const other = await logIn(auth, person);
  await expectEndEverywhere(other, () =>
    call('POST', `${auth}/user/change-password`, {
      token: person.accessToken,
      body: { currentPassword: PASSWORD, newPassword: 'an umbrella by the door' },
    }),
  );
  expect(await atOtherServices(person.accessToken)).toEqual([200, 200, 200]);
});

test('security 19: revoked sessions stay rejected after FLUSHALL and a restart', async () => {
  const person = await makeUser('forgotten');
  await expectEndEverywhere(person, () =>
    call('POST', `${auth}/auth/logout`, withCookie(person.refreshCookie)),
  );
  const redis = new Redis(atrium.platform.redisUrl);
  await redis.flushall();
  redis.disconnect();
  expect(await atOtherServices(person.accessToken)).toEqual([401, 401, 401]);
  await atrium.platform.process('notes').restart();
  expect(await atOtherServices(person.accessToken)).toEqual([401, 401, 401]);
});

test('the other services accept valid tokens while auth is stopped', async () => {
  const person = await makeUser('goeson');
  const ended = await makeUser('endsbefore');
  await expectEndEverywhere(ended, () =>
    call('POST', `${auth}/auth/logout`, withCookie(ended.refreshCookie)),
  );
  await atrium.platform.process('auth').kill('SIGTERM');
  // Tokens that are cached and one that is not.
  expect(await atOtherServices(person.accessToken)).toEqual([200, 200, 200]);
  expect(await atOtherServices(ended.accessToken)).toEqual([401, 401, 401]);
  const created = await call('POST', `${notes}/api/workspaces`, {
    token: person.accessToken,
    body: { name: 'Without auth', description: '' },
  });
  expect(text(created.body, 'name')).toBe('Without auth');
  await atrium.platform.process('auth').restart();
  const me = await call('GET', `${auth}/user/me`, { token: person.accessToken });
  expect(me.status).toBe(200);
});
