import { Readable } from 'node:stream';
import { newId } from '@atrium/contracts/ids';
import { startReceiver } from '@atrium/testkit/receiver';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { eraseAccount } from '../account-data/store.ts';
import { startHarness } from '../harness.fixture.ts';
import { order, PAID, publisher } from '../publishing/publisher.fixture.ts';

const TOO_LARGE = expect.stringMatching(/^data is too large to be checked/);

let harness: Awaited<ReturnType<typeof startHarness>>;
let product: ReturnType<typeof publisher>;
beforeAll(async () => {
  harness = await startHarness();
  product = publisher(harness);
});
afterEach(() => product.clear());
afterAll(() => harness?.[Symbol.asyncDispose]());

describe('an event type of a product', () => {
  test('is registered, changed in compatible ways and seen by its owner alone', async () => {
    const created = await product.put('shop.order_paid');
    expect(created).toMatchObject({
      status: 201,
      body: { name: 'shop.order_paid', version: 1, isArchived: false, schema: PAID.schema },
    });
    expect((await product.put('shop.order_paid')).body.version).toBe(1);
    const properties = { ...PAID.schema.properties, note: { type: 'string' } };
    const wider = { ...PAID, schema: { ...PAID.schema, properties } };
    expect(await product.put('shop.order_paid', wider)).toMatchObject({
      status: 200,
      body: { version: 2 },
    });
    const looser = { ...PAID, schema: { ...PAID.schema, required: [] } };
    expect(await product.put('shop.order_paid', looser)).toMatchObject({
      status: 409,
      body: { message: 'In the new version data.orderId may be missing' },
    });
    const { body } = await harness.call('/api/event-types/shop.order_paid/versions');
    expect(body.data.map(({ version }: { version: number }) => version)).toEqual([2, 1]);
    const names = async (token: string) =>
      (await harness.call('/api/event-types', { token })).body.data.map(
        ({ name }: { name: string }) => name,
      );
    const stranger = harness.issuer.issueToken({ sub: newId('usr') });
    expect(await names(harness.token)).toContain('shop.order_paid');
    expect(await names(stranger)).not.toContain('shop.order_paid');
    expect(await names('')).not.toContain('shop.order_paid');
  });

  test('cannot be below what belongs to others, or be what no event can be', async () => {
    await product.put('shop.order_paid');
    const stranger = harness.issuer.issueToken({ sub: newId('usr') });
    expect((await product.put('shop.other', PAID, stranger)).status).toBe(403);
    expect((await product.put('note.eaten')).status).toBe(403);
    expect((await product.put('Shop')).status).toBe(422);
    const wrong = { ...PAID, example: { cents: 1 } };
    expect((await product.put('shop.wrong', wrong)).body.message).toMatch(/orderId/);
    const schema = { type: 'object', properties: { a: { $ref: 'https://other.example' } } };
    expect((await product.put('shop.wrong', { ...PAID, schema })).status).toBe(422);
  });

  test('may be as large as its limits say, with every line indented', async () => {
    const schema = { type: 'object', title: 'ж'.repeat(16_000), required: ['order'] };
    const example = { order: 'x'.repeat(32_000), lines: Array.from({ length: 100 }, () => ({})) };
    const body = JSON.stringify({ description: 'Large.', schema, example }, null, 8);
    const answer = await harness.call('/api/event-types/shop.large', {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: Readable.from([Buffer.from(body)]),
    });
    expect(answer).toMatchObject({ status: 201, body: { schema } });
    const larger = { ...schema, title: 'ж'.repeat(16_400) };
    expect((await product.put('shop.large', { ...PAID, schema: larger })).status).toBe(422);
  });

  test('keeps its version when only its descriptions change', async () => {
    await product.put('shop.order_paid');
    const schema = { ...PAID.schema, title: 'Paid' };
    const changed = await product.put('shop.order_paid', { ...PAID, schema });
    expect(changed).toMatchObject({ status: 200, body: { version: 1, schema } });
    const { body } = await harness.call('/api/event-types/shop.order_paid/versions');
    expect(body.data).toMatchObject([{ version: 1, schema }]);
  });

  test('says which limit of an account it would exceed', async () => {
    await product.put('shop.order_paid');
    const fill = (table: string, columns: string, values: string) =>
      harness.database.query(`INSERT INTO ${table} (${columns}) SELECT ${values}`);
    const refusal = async (name: string, body = PAID) => {
      const answer = await product.put(name, body);
      return [answer.status, answer.body.message];
    };
    await fill(
      'event_type_versions',
      'name, version, schema',
      `'shop.order_paid', 100, '${JSON.stringify(PAID.schema)}'`,
    );
    await harness.database.query('UPDATE event_types SET version = 100');
    const schema = { ...PAID.schema, maxProperties: 9 };
    expect(await refusal('shop.order_paid', { ...PAID, schema })).toEqual([
      409,
      'An event type has at most 100 versions; register another type',
    ]);
    await fill(
      'event_types',
      'name, namespace, description, example, version',
      `'shop.t' || n, 'shop', '', '{}', 1 FROM generate_series(2, 200) n`,
    );
    expect(await refusal('shop.more')).toEqual([
      409,
      'shop has at most 200 event types, with those that are archived',
    ]);
    await fill(
      'namespaces',
      'name, account_id',
      `'n' || n, account_id FROM namespaces, generate_series(2, 10) n`,
    );
    expect(await refusal('store.paid')).toEqual([
      409,
      'An account has at most 10 first parts of names',
    ]);
    const text = `(SELECT string_agg(md5(n::text), '') FROM generate_series(1, 1000000) n)`;
    await harness.database.query(
      `UPDATE event_types SET example = json_build_object('a', ${text}) WHERE name = 'shop.t2'`,
    );
    const tooLarge = 'The schemas and examples of an account have at most 20 MB';
    expect(await refusal('n2.paid')).toEqual([409, tooLarge]);
  });

  test('has an example of limited content', async () => {
    const schema = { type: 'object' };
    const put = (list: unknown[]) =>
      product.put('shop.big', { ...PAID, schema, example: { list } });
    expect(await put(Array.from({ length: 2_000 }, () => ({})))).toMatchObject({
      status: 422,
      body: { message: 'The example has more than 2000 values and names' },
    });
    const nested = JSON.parse(`${'['.repeat(600)}${']'.repeat(600)}`);
    expect((await put(nested)).status).toBe(422);
    expect((await put([{}])).status).toBe(201);
  });

  test('is refused if checking its events could take long, and so are such events', async () => {
    const typeOf = (items: object) => ({
      ...PAID,
      schema: { type: 'object', properties: { list: { type: 'array', items } } },
      example: { list: [] },
    });
    const pattern = '(\\pL{1,1000}\\d|\\pL{1,999}_)$';
    expect(await product.put('shop.slow', typeOf({ type: 'string', pattern }))).toMatchObject({
      status: 422,
      body: { message: 'The schema has too many or too long patterns' },
    });
    const anyOf = Array.from({ length: 400 }, (_, at) => ({ required: [`z${at}`] }));
    expect((await product.put('shop.many', typeOf({ not: { anyOf } }))).status).toBe(201);
    expect((await product.put('shop.long', typeOf({ pattern: '^.{1,400}$' }))).status).toBe(201);
    const events = [
      { type: 'shop.many', data: { list: Array.from({ length: 10_000 }, () => ({})) } },
      { type: 'shop.long', data: { list: ['x'.repeat(10_000)] } },
      { type: 'shop.long', data: { list: ['x'.repeat(100)] } },
    ];
    const tooLarge = { status: 422, code: 'event-mismatch', message: TOO_LARGE };
    const { body } = await product.publish(events);
    expect(body.data).toMatchObject([tooLarge, tooLarge, { status: 202 }]);
  });

  test('whose stored schema is beyond the limits holds up no others, and can be replaced', async () => {
    await product.put('shop.order_paid');
    await product.put('shop.old');
    const schema = { type: 'object', properties: { a: { pattern: 'a'.repeat(1_001) } } };
    const store = `UPDATE event_type_versions SET schema = $1 WHERE name = 'shop.old'`;
    await harness.database.query(store, [JSON.stringify(schema)]);
    const old = { type: 'shop.old', data: { orderId: '1' } };
    expect((await product.publish([old, order()])).body.data).toMatchObject([
      { status: 422, code: 'schema-unusable' },
      { status: 202 },
    ]);
    expect(await product.put('shop.old')).toMatchObject({ status: 200, body: { version: 2 } });
    expect((await product.publish(old)).status).toBe(202);
  });

  test('is published no more once it is archived, until it is registered again', async () => {
    await product.put('shop.order_paid');
    const path = '/api/event-types/shop.order_paid/archive';
    const stranger = harness.issuer.issueToken({ sub: newId('usr') });
    expect((await harness.call(path, { method: 'POST', token: stranger })).status).toBe(404);
    expect((await harness.call(path, { method: 'POST' })).status).toBe(204);
    expect((await product.publish(order())).status).toBe(422);
    await product.put('shop.order_paid');
    expect((await product.publish(order())).status).toBe(202);
  });
});

describe('a subscription', () => {
  const subscribe = (events: string[]) =>
    harness.call('/api/webhooks', {
      method: 'POST',
      body: { url: 'https://93.184.216.34/', events },
    });

  test('is refused for what can never come', async () => {
    await product.put('shop.order_paid');
    for (const events of [['shop.order_paid'], ['shop.*'], ['note.*'], ['go.click', 'shop.*']]) {
      expect([events, (await subscribe(events)).status]).toEqual([events, 201]);
    }
    for (const name of ['shop.unknown', 'unknown.*', '*', 'shop', 'shop.*.paid', 'note.eaten']) {
      expect([name, (await subscribe([name])).status]).toEqual([name, 422]);
    }
  });

  test('gets a test event with the example of a product', async () => {
    // Events of the tests before may still be on their way.
    await product.put('store.order_paid');
    await using receiver = await startReceiver();
    await using _worker = await harness.startWorker();
    const { id } = await harness.subscribe(receiver.url, ['store.*']);
    const body = { event: 'store.order_paid' };
    await harness.call(`/api/webhooks/${id}/test`, { method: 'POST', body });
    const [request] = await receiver.waitFor(1);
    expect(JSON.parse(request?.rawBody.toString() ?? '').data).toEqual(PAID.example);
  });
});

test('an erased account leaves no event types, and its names are free again', async () => {
  const token = harness.issuer.issueToken({ sub: newId('usr'), plan: 'pro' });
  const owner = newId('usr');
  const ofOwner = harness.issuer.issueToken({ sub: owner, plan: 'pro' });
  await product.put('shop.order_paid', PAID, ofOwner);
  await product.publish(order('1', { id: 'a' }), ofOwner);
  await eraseAccount(harness.database, owner);
  expect(await harness.database.query('SELECT 1 FROM published_events')).toEqual([]);
  const schema = { ...PAID.schema, properties: { orderId: { type: 'integer' } } };
  const body = { ...PAID, schema, example: { orderId: 1 } };
  expect((await product.put('shop.order_paid', body, token)).status).toBe(201);
  const publish = (orderId: unknown) => product.publish({ ...order(), data: { orderId } }, token);
  expect((await publish(1)).status).toBe(202);
  expect((await publish('1')).status).toBe(422);
});
