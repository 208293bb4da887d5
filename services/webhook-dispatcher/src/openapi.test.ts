import { creationsWithoutKey, documentFaults } from '@atrium/testkit/openapi';
import { unlimitedRoutes } from '@atrium/testkit/rate-limits';
import { expect, test } from 'vitest';
import { CRON_SECRET, startHarness } from './harness.fixture.ts';

test('documents authentication, required bodies and error responses of every route', async () => {
  await using harness = await startHarness();
  const origin = await harness.server.listen({ port: 0, host: '127.0.0.1' });
  const authorization = `Bearer ${harness.issuer.issueToken({ isOperator: true })}`;
  const credentials = { authorization, 'x-cron-secret': CRON_SECRET };
  expect(await documentFaults(origin, credentials)).toEqual([]);
});

test('documents that the body of a secret rotation is optional', async () => {
  await using harness = await startHarness();
  const { id } = await harness.subscribe('https://93.184.216.34/');
  const path = `/api/webhooks/${id}/rotate-secret`;
  expect((await harness.call(path, { method: 'POST' })).status).toBe(200);
  const { body } = await harness.call('/openapi.json');
  const operation = body.paths['/api/webhooks/{id}/rotate-secret'].post;
  expect(operation.requestBody).toMatchObject({
    required: false,
    content: { 'application/json': { schema: { $ref: '#/components/schemas/RotateSecretBody' } } },
  });
  expect(operation).not.toHaveProperty('x-optional-body');
});

test('names a rate limit in every response of every route', async () => {
  await using harness = await startHarness();
  const origin = await harness.server.listen({ port: 0, host: '127.0.0.1' });
  const authorization = `Bearer ${harness.issuer.issueToken()}`;
  expect(await unlimitedRoutes(origin, { authorization, 'x-cron-secret': CRON_SECRET })).toEqual(
    [],
  );
});

test('takes an Idempotency-Key on every route that creates something', async () => {
  await using harness = await startHarness();
  const origin = await harness.server.listen({ port: 0, host: '127.0.0.1' });
  // Events have an id each, another link harms nobody, and the others create nothing.
  expect(await creationsWithoutKey(origin)).toEqual([
    '/api/events',
    '/api/portal-sessions',
    '/api/internal/webhooks/process',
  ]);
});
