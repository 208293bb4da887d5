import { documentFaults } from '@atrium/testkit/openapi';
import { unlimitedRoutes } from '@atrium/testkit/rate-limits';
import { expect, test } from 'vitest';
import { makeOperator } from './operator/operator.fixture.ts';
import { INTERNAL_SECRET, makeAccount, startTestApp } from './test-app.ts';

test('documents authentication, required bodies and error responses of every route', async () => {
  await using app = await startTestApp({ OPERATOR_EMAILS: 'openapi@example.com' });
  const origin = await app.server.listen({ port: 0, host: '127.0.0.1' });
  const { accessToken } = await makeOperator(app, 'openapi');
  const authorization = `Bearer ${accessToken}`;
  const credentials = { authorization, 'x-internal-secret': INTERNAL_SECRET };
  expect(await documentFaults(origin, credentials)).toEqual([]);
});

test('documents which routes read the refresh cookie', async () => {
  await using app = await startTestApp();
  const { paths, components } = (await app.server.inject('/openapi.json')).json();
  const cookie = { type: 'apiKey', in: 'cookie', name: 'refreshToken' };
  expect(components.securitySchemes.refreshToken).toEqual(cookie);
  expect(paths['/auth/refresh'].post.security).toEqual([{ refreshToken: [] }]);
  expect(paths['/auth/logout'].post.security).toEqual([{ refreshToken: [] }, { bearer: [] }, {}]);
});

test('names a rate limit in every response of every route', async () => {
  await using app = await startTestApp({ RATE_LIMITS: 'on' });
  const origin = await app.server.listen({ port: 0, host: '127.0.0.1' });
  const { accessToken } = await makeAccount(app, 'limited');
  const authorization = `Bearer ${accessToken}`;
  expect(
    await unlimitedRoutes(origin, { authorization, 'x-internal-secret': INTERNAL_SECRET }),
  ).toEqual([]);
});
