import { creationsWithoutKey, documentFaults } from '@atrium/testkit/openapi';
import { unlimitedRoutes } from '@atrium/testkit/rate-limits';
import { expect, test } from 'vitest';
import { startTestApp } from './test-app.ts';

test('documents authentication, required bodies and error responses of every route', async () => {
  await using app = await startTestApp();
  const origin = await app.server.listen({ port: 0, host: '127.0.0.1' });
  expect(await documentFaults(origin, { authorization: `Bearer ${app.token()}` })).toEqual([]);
});

test('documents the If-Match header of routes that change a note', async () => {
  await using app = await startTestApp();
  const { paths } = (await app.server.inject('/openapi.json')).json();
  for (const method of ['patch', 'delete']) {
    expect(paths['/api/notes/{id}'][method].parameters).toContainEqual(
      expect.objectContaining({ in: 'header', name: 'if-match', required: false }),
    );
  }
});

test('names a rate limit in every response of every route', async () => {
  await using app = await startTestApp();
  const origin = await app.server.listen({ port: 0, host: '127.0.0.1' });
  expect(await unlimitedRoutes(origin, { authorization: `Bearer ${app.token()}` })).toEqual([]);
});

test('limits changes and searches further', async () => {
  await using app = await startTestApp();
  const call = app.as();
  const policyOf = async (method: 'GET' | 'DELETE', url: string) =>
    (await call(method, url)).headers['ratelimit-policy'];
  expect(await policyOf('GET', '/api/search?q=x')).toMatch(/"notes-searches";q=600;w=60$/);
  expect(await policyOf('DELETE', '/api/notes/x')).toMatch(/"notes-writes";q=1200;w=60$/);
  expect(await policyOf('GET', '/api/notes/x')).toBe('"account";q=3000;w=60');
});

test('takes an Idempotency-Key on every route that creates something', async () => {
  await using app = await startTestApp();
  const origin = await app.server.listen({ port: 0, host: '127.0.0.1' });
  expect(await creationsWithoutKey(origin)).toEqual([]);
});
