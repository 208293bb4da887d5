import { until } from '@atrium/testkit/until';
import { afterAll, expect, test } from 'vitest';
import { createPerson } from '../accounts.ts';
import { startAtrium } from '../atrium.ts';
import { call, text } from '../client.ts';

const atrium = await startAtrium({ ACCESS_TOKEN_TTL_SECONDS: '1' });
afterAll(() => atrium[Symbol.asyncDispose]());

test('an expired access token gets 401 Token expired until a refresh', async () => {
  const { accessToken, refreshCookie } = await createPerson(
    atrium.urls.auth,
    atrium.mailbox,
    'expiring',
  );
  const urls = [
    `${atrium.urls.auth}/user/me`,
    `${atrium.urls.notes}/api/workspaces`,
    `${atrium.urls.links}/api/links`,
    `${atrium.urls.webhooks}/api/webhooks`,
  ];
  for (const url of urls) {
    const refused = await until(async () => {
      const response = await call('GET', url, { token: accessToken });
      return response.status === 401 ? response : undefined;
    });
    expect(refused.body).toEqual({ error: 'Unauthorized', message: 'Token expired' });
  }

  const refreshed = await call('POST', `${atrium.urls.auth}/auth/refresh`, {
    headers: { cookie: `refreshToken=${refreshCookie}` },
  });
  expect(refreshed.status).toBe(200);
  expect(text(refreshed.body, 'accessToken')).not.toBe(accessToken);
});
