import { creationsWithoutKey, documentFaults } from '@atrium/testkit/openapi';
import { unlimitedRoutes } from '@atrium/testkit/rate-limits';
import { expect, test } from 'vitest';
import { startTestPlatform } from './test-app.ts';

test('documents authentication, required bodies and error responses of every route', async () => {
  await using platform = await startTestPlatform();
  await using replica = await platform.replica();
  const origin = await replica.server.listen({ port: 0, host: '127.0.0.1' });
  expect(await documentFaults(origin, { authorization: `Bearer ${platform.token()}` })).toEqual([]);
});

test('names a rate limit in every response of every route', async () => {
  await using platform = await startTestPlatform();
  await using replica = await platform.replica();
  const origin = await replica.server.listen({ port: 0, host: '127.0.0.1' });
  expect(await unlimitedRoutes(origin, { authorization: `Bearer ${platform.token()}` })).toEqual(
    [],
  );
});

test('takes an Idempotency-Key on every route that creates something', async () => {
  await using platform = await startTestPlatform();
  await using replica = await platform.replica();
  const origin = await replica.server.listen({ port: 0, host: '127.0.0.1' });
  expect(await creationsWithoutKey(origin)).toEqual([]);
});
