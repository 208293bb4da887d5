import { tablesMentioning } from '@atrium/testkit/mentions';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startHarness } from './harness.fixture.ts';
import { seedDelivery } from './seed.fixture.ts';

let harness: Awaited<ReturnType<typeof startHarness>>;
beforeAll(async () => {
  harness = await startHarness();
});
afterAll(() => harness?.[Symbol.asyncDispose]());

const URL = 'https://93.184.216.34/hook';
const post = (path: string, body: object) =>
  harness.call(path, { method: 'POST', headers: { 'idempotency-key': path }, body });

test('shows the secret of a webhook again, which is stored only encrypted', async () => {
  const body = { url: URL, events: ['note.shared'] };
  const first = await post('/api/webhooks', body);
  expect(await post('/api/webhooks', body)).toEqual(first);
  expect(first.body.secret).toMatch(/^whsec_/);
  expect(await harness.database.prisma.subscription.count()).toBe(1);
  expect(await harness.database.prisma.idempotencyKey.count()).toBe(1);
  expect(await tablesMentioning(harness.database, [first.body.secret])).toEqual([]);
});

test('rotates a secret once for one key', async () => {
  const { id } = await harness.subscribe(URL);
  const path = `/api/webhooks/${id}/rotate-secret`;
  const first = await post(path, {});
  expect(first.status).toBe(200);
  expect(await post(path, {})).toEqual(first);
  expect((await harness.call(path, { method: 'POST' })).body.secret).not.toBe(first.body.secret);
});

test('sends one test event for 30 parallel requests with one key', async () => {
  const { id } = await harness.subscribe(URL);
  const path = `/api/webhooks/${id}/test`;
  const send = () => post(path, { event: 'go.click' });
  // Opens every connection, or the requests would run one by one on the first of them.
  await Promise.all(
    Array.from({ length: 10 }, () => harness.database.query('SELECT pg_sleep(0.2)::text')),
  );
  const answers = await Promise.all(Array.from({ length: 30 }, send));
  const deliveries = await harness.database.prisma.delivery.findMany({
    where: { subscriptionId: id },
  });
  expect(deliveries).toHaveLength(1);
  const queued = { status: 202, body: { deliveryId: deliveries[0]?.id } };
  const refused = {
    error: 'Conflict',
    message: 'A request with this Idempotency-Key is in progress',
  };
  for (const answer of answers) {
    expect([queued, { status: 409, body: refused }]).toContainEqual(answer);
  }
  expect(answers).toContainEqual(queued);
});

test('repeats the response to a redelivery and a recovery, which would be refused now', async () => {
  const { id } = await harness.subscribe(URL);
  const seed = { subscriptionId: id, accountId: harness.accountId };
  const delivery = await seedDelivery(harness.database, { ...seed, state: 'exhausted' });
  const calls: [path: string, body?: object][] = [
    [`/api/deliveries/${delivery}/redeliver`],
    [`/api/webhooks/${id}/recover`, { since: '2026-01-01T00:00:00Z' }],
  ];
  for (const [path, body] of calls) {
    const key = { 'idempotency-key': path };
    const send = (given?: Record<string, string>) =>
      harness.call(path, {
        method: 'POST',
        ...(body && { body }),
        ...(given && { headers: given }),
      });
    const first = await send(key);
    expect(first.status).toBe(202);
    expect(await send()).toMatchObject({ status: 409 });
    expect(await send(key)).toEqual(first);
  }
});

test('ignores a body that the route does not read, however deeply it is nested', async () => {
  const { statusCode } = await harness.server.inject({
    method: 'POST',
    url: '/api/deliveries/dlv_none/redeliver',
    headers: {
      authorization: `Bearer ${harness.issuer.issueToken()}`,
      'content-type': 'application/json',
      'idempotency-key': 'nested',
    },
    payload: '['.repeat(8_000) + ']'.repeat(8_000),
  });
  expect(statusCode).toBe(404);
});
