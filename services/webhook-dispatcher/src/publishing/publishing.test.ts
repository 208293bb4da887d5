import { newId } from '@atrium/contracts/ids';
import { startReceiver } from '@atrium/testkit/receiver';
import { until } from '@atrium/testkit/until';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { startHarness } from '../harness.fixture.ts';
import { order, PAID, publisher } from './publisher.fixture.ts';
import { recordExternalId } from './recipients.ts';

let harness: Awaited<ReturnType<typeof startHarness>>;
let product: ReturnType<typeof publisher>;
beforeAll(async () => {
  harness = await startHarness();
  product = publisher(harness);
});
afterEach(() => product.clear());
afterAll(() => harness?.[Symbol.asyncDispose]());

/** The token of an application, for its owner. */
const applicationToken = (owner: string, applicationId: string) =>
  harness.issuer.issueToken({
    sub: owner,
    plan: 'pro',
    applicationId,
    scope: 'events:publish',
  });

describe('publishing', () => {
  test('delivers the event, as its publisher sent it, to whoever asks for it', async () => {
    await product.put('till.order_paid');
    await product.put('till.order.sent');
    await using exact = await startReceiver();
    await using below = await startReceiver();
    await using other = await startReceiver();
    await harness.subscribe(exact.url, ['till.order_paid']);
    await harness.subscribe(below.url, ['till.*']);
    await harness.subscribe(other.url, ['till.order.*', 'note.*']);
    await using _worker = await harness.startWorker();
    const occurredAt = '2026-01-01T10:00:00+01:00';
    const type = 'till.order_paid';
    const { status, body } = await product.publish(order('1', { type, occurredAt }));
    expect([status, body]).toEqual([
      202,
      { id: expect.stringMatching(/^evt_/), isDuplicate: false },
    ]);
    const [request] = await exact.waitFor(1);
    expect(JSON.parse(request?.rawBody.toString() ?? '')).toEqual({
      id: body.id,
      event: type,
      createdAt: expect.any(String),
      occurredAt: '2026-01-01T09:00:00.000Z',
      data: { orderId: '1' },
    });
    await below.waitFor(1);
    await product.publish({ type: 'till.order.sent', data: { orderId: '1' } });
    await other.waitFor(1);
    await below.waitFor(2);
    const trace = await harness.call(`/api/events/${body.id}`);
    expect(trace.body).toMatchObject({
      event: type,
      occurredAt: '2026-01-01T09:00:00.000Z',
      cause: null,
    });
    expect([exact, other].map(({ requests }) => requests.length)).toEqual([1, 1]);
  });

  test('is refused for data that is not what the schema says, with the place', async () => {
    await product.put('shop.order_paid');
    expect(await product.publish({ ...order(), data: { orderId: 1 } })).toMatchObject({
      status: 422,
      body: { message: 'data.orderId must be string' },
    });
    expect((await product.publish({ type: 'shop.unknown', data: {} })).status).toBe(422);
    for (const occurredAt of [
      '2026-13-01T00:00:00Z',
      '9999-12-31T23:59:59-01:00',
      '0000-01-01T00:00:00+01:00',
    ]) {
      expect((await product.publish(order('1', { occurredAt }))).status).toBe(422);
    }
    const large = { ...order(), data: { orderId: 'x'.repeat(262_144) } };
    expect(await product.publish(large)).toMatchObject({
      status: 422,
      body: { message: expect.stringContaining('at most 262144 are sent') },
    });
    expect((await product.publish(order('x'.repeat(2 * 1024 * 1024)))).status).toBe(413);
    expect(await product.outbox()).toEqual([]);
  });

  test('with an id happens once, however often and however parallel it is asked for', async () => {
    await product.put('shop.order_paid');
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => product.publish(order('1', { id: 'paid-1' }))),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 202));
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
    expect(answers.filter(({ body }) => !body.isDuplicate)).toHaveLength(1);
    expect(await product.outbox()).toHaveLength(1);
    expect(await product.publish(order('2', { id: 'paid-1' }))).toMatchObject({
      status: 409,
      body: { error: 'Conflict' },
    });
    // Another product may use the same id.
    await product.put('other.order_paid');
    const other = { ...order('1', { id: 'paid-1' }), type: 'other.order_paid' };
    expect((await product.publish(other)).body.isDuplicate).toBe(false);
  });

  test('of an array gives each event its result, and publishes those that are valid', async () => {
    await product.put('shop.order_paid');
    const { status, body } = await product.publish([
      order('1', { id: 'a' }),
      { type: 'shop.unknown', data: {} },
      order('1', { id: 'a' }),
      order('2', { id: 'a' }),
      order('3'),
    ]);
    expect(status).toBe(202);
    expect(body.data).toMatchObject([
      { status: 202, isDuplicate: false },
      { status: 422, code: 'event-type-unknown', error: 'Validation Error' },
      { status: 202, isDuplicate: true, id: body.data[0].id },
      { status: 409, code: 'event-id-used' },
      { status: 202, isDuplicate: false },
    ]);
    expect((await product.outbox()).map(({ id }) => id)).toEqual([
      body.data[0].id,
      body.data[4].id,
    ]);
    expect((await product.publish([])).status).toBe(422);
    expect((await product.publish(Array.from({ length: 501 }, () => order()))).status).toBe(422);
  });

  test('of an array refuses only the events that are malformed', async () => {
    await product.put('shop.order_paid');
    const { status, body } = await product.publish([
      order('1'),
      { ...order('2'), occuredAt: '2026-01-01T10:00:00Z' },
      { data: {} },
      'shop.order_paid',
      order('\0'),
      order('3'),
    ]);
    expect(status).toBe(202);
    expect(body.data).toMatchObject([
      { status: 202 },
      { status: 422, code: 'validation-failed', message: 'occuredAt is not a known field' },
      { status: 400, code: 'bad-request', message: 'Type is required' },
      { status: 400, code: 'bad-request', message: 'Request body must be an object' },
      { status: 422, message: 'Order ID contains characters that cannot be stored' },
      { status: 202 },
    ]);
    expect(await product.outbox()).toHaveLength(2);
    const single = await product.publish({ ...order(), data: { orderId: '\0' } });
    expect(single.body.message).toBe('Order ID contains characters that cannot be stored');
  });

  test('to another account needs an application that an operator trusts', async () => {
    const owner = newId('usr');
    const applicationId = newId('app');
    const token = applicationToken(owner, applicationId);
    const customer = newId('usr');
    await product.put('shop.order_paid', PAID, token);
    const toCustomer = order('1', { accountId: customer });
    expect((await product.publish(toCustomer, token)).status).toBe(403);
    const operator = harness.issuer.issueToken({ sub: newId('usr'), isOperator: true });
    const path = '/api/operator/namespaces/shop';
    const body = { trustedApplicationId: applicationId };
    const trust = (as: string) => harness.call(path, { method: 'PATCH', body, token: as });
    expect((await trust(token)).status).toBe(403);
    expect((await trust(harness.token)).status).toBe(404);
    expect((await trust(operator)).body).toMatchObject({ accountId: owner, ...body });
    expect((await product.publish(toCustomer, token)).status).toBe(202);
    // Neither another application of the owner nor another account.
    expect((await product.publish(toCustomer, applicationToken(owner, newId('app')))).status).toBe(
      403,
    );
    expect(
      (await product.publish(toCustomer, harness.issuer.issueToken({ sub: owner }))).status,
    ).toBe(403);
    expect(
      (await product.publish(toCustomer, applicationToken(customer, applicationId))).status,
    ).toBe(422);
    expect((await product.outbox()).map(({ accountId }) => accountId)).toEqual([customer]);
    const { body: catalogue } = await harness.call('/api/event-types', { token: '' });
    expect(catalogue.data.at(-1).name).toBe('shop.order_paid');
  });

  test('reaches imported accounts by the ids that they had before, once it is trusted', async () => {
    const owner = newId('usr');
    const applicationId = newId('app');
    const token = applicationToken(owner, applicationId);
    const [former, customer] = [newId('usr', 1), newId('usr', 2)];
    for (const accountId of [customer, former]) {
      await recordExternalId(harness.database, accountId, 'crm|7');
    }
    await product.put('shop.order_paid', PAID, token);
    const toCustomer = order('1', { externalId: 'crm|7' });
    const toNobody = order('2', { externalId: 'crm|8' });
    for (const event of [toCustomer, toNobody]) {
      expect((await product.publish(event, token)).status).toBe(403);
    }
    const trust = 'UPDATE namespaces SET trusted_application_id = $1';
    await harness.database.query(trust, [applicationId]);
    const both = order('3', { externalId: 'crm|7', accountId: customer });
    const { body } = await product.publish([toNobody, toCustomer, both], token);
    expect(body.data).toEqual([
      expect.objectContaining({ status: 422, code: 'recipient-unknown' }),
      expect.objectContaining({ status: 202 }),
      expect.objectContaining({ status: 422, code: 'validation-failed' }),
    ]);
    expect((await product.outbox()).map(({ accountId }) => accountId)).toEqual([customer]);
  });

  test('needs the scope for it, and a verified email address', async () => {
    await product.put('shop.order_paid');
    const scoped = harness.issuer.issueToken({ sub: harness.accountId, scope: 'webhooks:write' });
    expect((await product.publish(order(), scoped)).status).toBe(403);
    const unverified = harness.issuer.issueToken({ sub: harness.accountId, ev: false });
    expect((await product.publish(order(), unverified)).body.error).toBe('Email Not Verified');
  });

  test('arrives once each when the worker is restarted in a flood', async () => {
    await product.put('mart.order_paid');
    await using receiver = await startReceiver();
    await harness.subscribe(receiver.url, ['mart.*']);
    const batches = Array.from({ length: 5 }, (_, at) =>
      Array.from({ length: 100 }, (__, n) =>
        order('1', { type: 'mart.order_paid', id: `${at}-${n}` }),
      ),
    );
    const published = async () => {
      const answers = await Promise.all(batches.map((batch) => product.publish(batch)));
      return answers.flatMap(({ body }) => body.data.map(({ id }: { id: string }) => id));
    };
    let ids: string[];
    {
      await using _worker = await harness.startWorker();
      ids = await published();
      await receiver.waitFor(50);
    }
    expect(await published()).toEqual(ids);
    await using _worker = await harness.startWorker();
    await until(() => new Set(idsOf(receiver.requests)).size === 500);
    expect(new Set(idsOf(receiver.requests))).toEqual(new Set(ids));
  });
});

const idsOf = (requests: { rawBody: Buffer }[]) =>
  requests.map(({ rawBody }) => String(JSON.parse(rawBody.toString()).id));
