import { Readable } from 'node:stream';
import { newId } from '@atrium/contracts/ids';
import { createRateLimiter } from '@atrium/service-kit/rate-limit';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { startHarness } from '../harness.fixture.ts';
import { order, PAID, publisher } from './publisher.fixture.ts';
import { FREE_PUBLISH_RULE } from './routes.ts';

let harness: Awaited<ReturnType<typeof startHarness>>;
let product: ReturnType<typeof publisher>;
beforeAll(async () => {
  harness = await startHarness();
  product = publisher(harness);
});
afterEach(() => product.clear());
afterAll(() => harness?.[Symbol.asyncDispose]());

describe('publishing', () => {
  test('beyond the limit of an account is answered with 429', async () => {
    const token = harness.issuer.issueToken({ sub: newId('usr') });
    await product.put('flood.event', { ...PAID, schema: { type: 'object' } }, token);
    const batch = Array.from({ length: 500 }, () => ({ type: 'flood.event', data: {} }));
    const answers = await Promise.all(
      Array.from({ length: 25 }, () => product.publish(batch, token)),
    );
    expect(answers.filter(({ status }) => status === 429).length).toBeGreaterThan(0);
    expect(await product.outbox()).toHaveLength(
      answers.filter(({ status }) => status === 202).length * 500,
    );
    await product.put('shop.order_paid');
    expect((await product.publish(order())).status).toBe(202);
  });

  test('with an Idempotency-Key is refused, since the id of an event does what it would do', async () => {
    await product.put('shop.order_paid');
    const answer = await harness.call('/api/events', {
      method: 'POST',
      headers: { 'idempotency-key': 'one' },
      body: order(),
    });
    expect(answer).toMatchObject({
      status: 422,
      body: { message: 'Idempotency-Key is not taken here: give the event an id instead' },
    });
    expect(await product.outbox()).toEqual([]);
  });

  test('under one id is the same event in whatever order its data names its values', async () => {
    await product.put('shop.order_paid');
    const publish = (data: object) => product.publish({ ...order(), id: 'paid-1', data });
    const first = await publish({ orderId: '1', cents: 2, lines: [{ a: 1, b: 2 }] });
    const again = await publish({ lines: [{ b: 2, a: 1 }], cents: 2, orderId: '1' });
    expect(again).toEqual({ status: 202, body: { id: first.body.id, isDuplicate: true } });
    const other = await publish({ orderId: '1', cents: 2, lines: [{ a: 2, b: 1 }] });
    expect(other.status).toBe(409);
  });

  test('of data that is nested too deeply is refused', async () => {
    await product.put('shop.deep', { ...PAID, schema: { type: 'object' } });
    const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;
    const publish = (depth: number) =>
      product.publish({ type: 'shop.deep', data: { list: JSON.parse(nested(depth)) } });
    expect((await publish(499)).status).toBe(202);
    expect(await publish(3_000)).toMatchObject({
      status: 422,
      body: { message: 'data is nested too deeply' },
    });
  });

  test('counts the bytes of a body whose length was not said', async () => {
    const token = harness.issuer.issueToken({ sub: newId('usr') });
    await product.put('chunked.event', { ...PAID, schema: { type: 'object' } }, token);
    const statuses = [];
    for (let n = 0; n < 6; n += 1) {
      const { status } = await harness.call('/api/events', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: Readable.from([Buffer.from('{"type":"chunked.event","data":{}}')]),
        token,
      });
      statuses.push(status);
    }
    expect(new Set(statuses)).toEqual(new Set([202]));
  });

  test('whose checks take a process long is limited for that account alone', async () => {
    const token = harness.issuer.issueToken({ sub: newId('usr') });
    const properties = { text: { not: { pattern: '[^y]{0,200}[yz]' } } };
    await product.put('slow.event', { ...PAID, schema: { type: 'object', properties } }, token);
    await product.put('shop.order_paid');
    const slow = { type: 'slow.event', data: { text: 'x'.repeat(1_200) } };
    const batch = Array.from({ length: 500 }, () => slow);
    const answers = await Promise.all([1, 2].map(() => product.publish(batch, token)));
    for (const { body } of answers) {
      expect(body.data[0]).toMatchObject({ status: 202 });
      expect(body.data.at(-1)).toMatchObject({
        status: 429,
        code: 'too-many-requests',
        message: 'Checking the events of this account takes too long, please try again later',
      });
    }
    expect(await product.publish(order())).toMatchObject({ status: 202 });
  });

  test('beyond 100,000 events a day is refused on the free plan', async () => {
    const limiter = createRateLimiter({
      redis: harness.redis,
      keyPrefix: harness.location.queuePrefix,
      enabled: true,
      clockMs: Date.now,
    });
    const statusOn = async (plan: 'free' | 'pro') => {
      const sub = newId('usr');
      const token = harness.issuer.issueToken({ sub, plan });
      await product.put(`${plan}.event`, { ...PAID, schema: { type: 'object' } }, token);
      await limiter.consume(FREE_PUBLISH_RULE, sub, FREE_PUBLISH_RULE.limit);
      const batch = Array.from({ length: 500 }, () => ({ type: `${plan}.event`, data: {} }));
      return (await product.publish(batch, token)).status;
    };
    expect([await statusOn('free'), await statusOn('pro')]).toEqual([429, 202]);
  });
});
