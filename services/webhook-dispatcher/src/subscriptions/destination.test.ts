import { testRedis } from '@atrium/testkit/redis';
import { until } from '@atrium/testkit/until';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startHarness } from '../harness.fixture.ts';

let harness: Awaited<ReturnType<typeof startHarness>>;
beforeAll(async () => {
  harness = await startHarness();
});
afterAll(() => harness?.[Symbol.asyncDispose]());

const credentials = { username: 'publisher', password: 'an-unlikely-password' };
const amqp = { kind: 'amqp', exchange: 'atrium', routingKey: 'events' };
const body = {
  url: 'amqps://93.184.216.34/vhost',
  events: ['note.shared'],
  destination: { ...amqp, credentials },
};
const create = (input: object = body) =>
  harness.call('/api/webhooks', { method: 'POST', body: input });
const change = (id: string, input: object) =>
  harness.call(`/api/webhooks/${id}`, { method: 'PATCH', body: input });
const created = async (input?: object): Promise<string> => (await create(input)).body.id;

it('is shown without its credentials, which are stored encrypted', async () => {
  const { status, body: shown } = await create();
  expect([status, shown.destination]).toEqual([201, amqp]);
  const { body: read } = await harness.call(`/api/webhooks/${shown.id}`);
  expect(read.destination).toEqual(amqp);
  const stored = await harness.database.query('SELECT * FROM subscriptions');
  expect(JSON.stringify([stored, read, shown])).not.toContain(credentials.password);
});

it.each<[string, object]>([
  ['a kind that does not exist', { destination: { kind: 'ftp' } }],
  ['no credentials', { destination: amqp }],
  ['a field of another kind', { destination: { ...amqp, credentials, stream: 'x' } }],
  ['a URL of another kind', { url: 'https://93.184.216.34/' }],
  ['custom headers', { headers: { 'x-a': 'b' } }],
  [
    'a name longer than AMQP takes',
    { destination: { ...amqp, exchange: 'x'.repeat(256), credentials } },
  ],
])('cannot have %s', async (_what, changes) => {
  expect([400, 422]).toContain((await create({ ...body, ...changes })).status);
});

const redis = { kind: 'redis', stream: 'events' };
const sqs = { kind: 'sqs', region: 'eu-central-1' };
const key = { accessKeyId: 'AKIA', secretAccessKey: 'secret' };

it.each<[string, unknown]>([
  ['Routing key is required', { kind: 'amqp', exchange: 'atrium', credentials }],
  ['Credentials is required', amqp],
  [
    'Password may contain only visible ASCII characters',
    { ...amqp, credentials: { ...credentials, password: 'grün' } },
  ],
  ['stream is not a known field', { ...amqp, credentials, stream: 'x' }],
  ['Stream is required', { kind: 'redis' }],
  ['Max length must be at least 1', { ...redis, maxLength: 0 }],
  ['Region is required', { kind: 'sqs', credentials: key }],
  ['Access key ID is required', { ...sqs, credentials: {} }],
  ['Prefix has an invalid format', { ...sqs, kind: 's3', prefix: '/a', credentials: key }],
  ['Kind must be one of: http, sqs, amqp, redis, s3', { kind: 'kafka', topic: 'x' }],
  ['Kind must be one of: http, sqs, amqp, redis, s3', { kind: 'kafka' }],
  ['Kind must be a string', { kind: 7 }],
  ['Kind is required', { exchange: 'atrium' }],
  ['Destination must be an object', 'amqp'],
])('is refused with "%s"', async (message, destination) => {
  expect((await create({ ...body, destination })).body.message).toBe(message);
});

it('wants its credentials again for another host, and for nothing else', async () => {
  const id = await created();
  expect((await change(id, { description: 'x' })).status).toBe(200);
  expect((await change(id, { url: 'amqps://93.184.216.34/other' })).status).toBe(200);
  const moved = await change(id, { url: 'amqps://93.184.216.35/vhost' });
  expect(moved).toMatchObject({ status: 422, body: { error: 'Validation Error' } });
  expect((await change(id, { url: 'https://93.184.216.34/' })).status).toBe(422);
  const url = 'amqps://93.184.216.35/vhost';
  expect((await change(id, { url, destination: body.destination })).body.url).toBe(url);
  const destination = { kind: 'http' };
  const back = await change(id, { url: 'https://93.184.216.34/', destination });
  expect(back.body.destination).toEqual(destination);
});

it('drops custom headers when it is no longer HTTP', async () => {
  const http = { url: 'https://93.184.216.34/', events: ['go.click'], headers: { 'x-a': 'b' } };
  const id = await created(http);
  const { url, destination } = body;
  expect((await change(id, { url, destination })).body).toMatchObject({ headerNames: [] });
  expect((await change(id, { headers: { 'x-a': 'b' } })).status).toBe(422);
});

it('gets its deliveries from a worker, with the records of any other', async () => {
  const { url: redisUrl, queuePrefix } = testRedis();
  const stream = `${queuePrefix}:events`;
  const destination = { kind: 'redis', stream };
  const id = await created({ url: redisUrl, events: ['note.shared'], destination });
  await using _worker = await harness.startWorker();
  await harness.send([harness.event()]);
  const delivery = await until(async () => {
    const found = await harness.deliveryOf(id);
    return found?.state === 'delivered' && found;
  });
  expect(delivery.attempts).toMatchObject([{ number: 1, status: 200, error: null }]);
  const redis = new Redis(redisUrl);
  expect(await redis.xlen(stream)).toBe(1);
  redis.disconnect();
});
