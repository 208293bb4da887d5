import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { newId } from '@atrium/contracts/ids';
import { createAddressGuard } from '@atrium/service-kit/address-guard';
import { startOutage } from '@atrium/testkit/outage';
import { testRedis } from '@atrium/testkit/redis';
import { Redis } from 'ioredis';
import { Webhook } from 'standardwebhooks';
import { expect, onTestFinished, test } from 'vitest';
import { openTestDestinations, secret } from './destinations.fixture.ts';

async function setUp() {
  const { url, queuePrefix } = testRedis();
  const redis = new Redis(url);
  const stream = `${queuePrefix}:${randomUUID()}`;
  const username = randomUUID();
  await redis.call('ACL', 'SETUSER', username, 'on', '>p:w d', `~${stream}`, '+xadd');
  onTestFinished(async () => {
    await redis.call('ACL', 'DELUSER', username);
    await redis.del(stream);
    redis.disconnect();
  });
  const credentials = { username, password: 'p:w d' };
  return { url, redis, stream, destination: { kind: 'redis' as const, stream, credentials } };
}

/** The fields of each entry, oldest first. */
async function entriesOf(redis: Redis, stream: string) {
  const entries = await redis.xrange(stream, '-', '+');
  return entries.map(([, fields]) =>
    Object.fromEntries(
      Array.from({ length: fields.length / 2 }, (_, n) => [fields[2 * n], fields[2 * n + 1]]),
    ),
  );
}

test('appends a signed delivery to the stream, by a user who may do nothing else', async () => {
  const { url, redis, stream, destination } = await setUp();
  await using destinations = openTestDestinations();
  const id = newId('dlv');
  const made = await destinations.attempt(url, destination, id);
  expect(made).toEqual({ outcome: 'delivered', status: 200, error: null });
  const [{ body = '', ...headers } = {}] = await entriesOf(redis, stream);
  expect(headers).toMatchObject({ 'Service-Event': 'note.shared', 'webhook-id': id });
  expect(new Webhook(secret).verify(body, headers)).toEqual({ title: 'Grüße' });
});

test('keeps as many entries as its owner says', async () => {
  const { url, redis, stream, destination } = await setUp();
  await using destinations = openTestDestinations();
  const attempts = Array.from({ length: 150 }, () =>
    destinations.attempt(url, { ...destination, maxLength: 10 }),
  );
  const made = await Promise.all(attempts);
  expect(made.every(({ outcome }) => outcome === 'delivered')).toBe(true);
  // Whole nodes of 100 entries go.
  expect(await redis.xlen(stream)).toBeLessThan(110);
});

test('retries with the words of the server, and connects again', async () => {
  const { url, redis, stream, destination } = await setUp();
  await using outage = await startOutage(url);
  await using destinations = openTestDestinations();
  const attempt = (changes = {}) =>
    destinations.attempt(outage.url, { ...destination, ...changes });

  const credentials = { ...destination.credentials, password: 'wrong' };
  expect((await attempt({ credentials })).error).toContain('WRONGPASS');
  expect((await attempt({ stream: 'elsewhere' })).error).toContain('NOPERM');
  await redis.set(stream, 'not a stream');
  expect(await attempt()).toMatchObject({
    outcome: 'retry',
    error: expect.stringContaining('WRONGTYPE'),
  });
  await redis.del(stream);
  expect((await attempt()).outcome).toBe('delivered');
  await outage.begin();
  expect((await attempt()).error).toContain('ECONNREFUSED');
  await outage.end();
  expect((await attempt()).outcome).toBe('delivered');
});

test('gives up at its deadline, and postpones at a shutdown', async () => {
  const { destination } = await setUp();
  const silent = createServer((socket) => socket.resume());
  silent.listen(0, '127.0.0.1');
  await once(silent, 'listening');
  onTestFinished(() => void silent.close());
  const url = `redis://127.0.0.1:${(silent.address() as AddressInfo).port}`;
  await using hurried = openTestDestinations({ timeoutMs: 100 });
  const late = await hurried.attempt(url, destination);
  expect(late).toMatchObject({ outcome: 'retry', error: 'No confirmation within 100 ms' });
  const stopped = openTestDestinations();
  const connected = once(silent, 'connection');
  const cut = stopped.attempt(url, destination);
  await connected;
  await stopped[Symbol.asyncDispose]();
  expect(await cut).toEqual({ outcome: 'postponed', error: 'The worker was stopped' });
});

test.each(['redis', 'amqp'] as const)(
  'connects %s to no address that is not allowed',
  async (kind) => {
    const destination =
      kind === 'redis'
        ? { kind, stream: 'events' }
        : { kind, exchange: '', routingKey: 'x', credentials: { username: 'a', password: 'b' } };
    const secure = `${kind}s`;
    const addresses: Record<string, string> = { 'inside.example': '10.0.0.1' };
    await using destinations = openTestDestinations({
      guard: createAddressGuard([]),
      allowHttp: false,
      resolve: async (name) => [{ address: addresses[name] ?? '93.184.216.34', family: 4 }],
    });
    const errorOf = async (url: string) => (await destinations.attempt(url, destination)).error;
    const forbidden = 'The host has a private or reserved address';
    for (const host of ['127.0.0.1', '[::1]', '169.254.169.254', 'inside.example']) {
      expect(await errorOf(`${secure}://${host}/`)).toBe(forbidden);
    }
    expect(await errorOf(`${kind}://public.example/`)).toBe(`The URL does not use ${secure}`);
  },
);
