import { documentFaults } from '@atrium/testkit/openapi';
import { expect, test } from 'vitest';
import { CRON_SECRET, startHarness } from './harness.fixture.ts';

test('the OpenAPI document says who is let in, which bodies are needed and what can go wrong', async () => {
  await using harness = await startHarness();
  const origin = await harness.server.listen({ port: 0, host: '127.0.0.1' });
  const authorization = `Bearer ${harness.issuer.issueToken()}`;
  const credentials = { authorization, 'x-cron-secret': CRON_SECRET };
  expect(await documentFaults(origin, credentials)).toEqual([]);
});

test('a rotation needs no body, and the document says so', async () => {
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
