import { newId } from '@atrium/contracts/ids';
import { until } from '@atrium/testkit/until';
import { connect, type ConfirmChannel } from 'amqplib';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startHarness } from '../../harness.fixture.ts';
import { openTestDestinations, secret } from './destinations.fixture.ts';
import { startRabbitMq } from './rabbitmq.fixture.ts';

const EVENTS = 2_000;
const BATCH = 100;
const credentials = { username: 'guest', password: 'guest' };
const toQueue = (routingKey: string) => ({
  kind: 'amqp' as const,
  exchange: '',
  routingKey,
  credentials,
});

let rabbit: Awaited<ReturnType<typeof startRabbitMq>>;
beforeAll(async () => {
  rabbit = await startRabbitMq();
});
afterAll(() => rabbit[Symbol.asyncDispose]());

async function withChannel<T>(work: (channel: ConfirmChannel) => Promise<T>): Promise<T> {
  const model = await connect(rabbit.url);
  try {
    return await work(await model.createConfirmChannel());
  } finally {
    await model.close();
  }
}

/** Takes every message out of a queue. */
async function drain(queue: string) {
  return withChannel(async (channel) => {
    const messages = [];
    for (;;) {
      const message = await channel.get(queue, { noAck: true });
      if (message === false) return messages;
      messages.push(message);
    }
  });
}

test('publishes a signed, persistent message', async () => {
  await withChannel((channel) => channel.assertQueue('signed'));
  await using destinations = openTestDestinations();
  const id = newId('dlv');
  const made = await destinations.attempt(rabbit.url, toQueue('signed'), id);
  expect(made).toEqual({ outcome: 'delivered', status: 200, error: null });
  const [{ properties, content } = expect.fail('no message')] = await drain('signed');
  expect(properties).toMatchObject({
    messageId: id,
    type: 'note.shared',
    contentType: 'application/json',
    deliveryMode: 2,
  });
  const headers: Record<string, string> = properties.headers ?? {};
  expect(new Webhook(secret).verify(content.toString(), headers)).toEqual({ title: 'Grüße' });
});

test('retries with a reason what the broker does not take, and goes on afterwards', async () => {
  await withChannel((channel) => channel.assertQueue('taken'));
  await using destinations = openTestDestinations();
  const attempt = (changes = {}, url = rabbit.url) =>
    destinations.attempt(url, { ...toQueue('taken'), ...changes });
  const errors = await Promise.all([
    attempt({ routingKey: 'nowhere' }),
    attempt({ exchange: 'missing' }),
    attempt({ credentials: { ...credentials, password: 'wrong' } }),
    attempt({}, `${rabbit.url}no-vhost`),
  ]);
  expect(errors.map(({ outcome }) => outcome)).toEqual(['retry', 'retry', 'retry', 'retry']);
  const [unroutable, exchange, login, vhost] = errors.map(({ error }) => error);
  expect(unroutable).toBe('The exchange leads to no queue for the routing key');
  expect(exchange).toContain("no exchange 'missing'");
  expect(login).toContain('ACCESS_REFUSED');
  expect(vhost).toContain('vhost no-vhost not found');
  expect((await attempt({ exchange: 'missing' })).outcome).toBe('retry');
  expect((await attempt()).outcome).toBe('delivered');
});

test('loses nothing when the broker is killed and starts again during deliveries', async () => {
  const queue = 'restart';
  await withChannel((channel) => channel.assertQueue(queue, { durable: true }));
  await using harness = await startHarness();
  const worker = await harness.startWorker({
    WEBHOOK_RETRY_DELAYS_MS: [2_000, 5_000, 20_000, 60_000],
  });
  const body = { url: rabbit.url, events: ['note.shared'], destination: toQueue(queue) };
  const created = await harness.call('/api/webhooks', { method: 'POST', body });
  expect(created.status).toBe(201);
  const undelivered = async () => {
    const [row] = await harness.database.query<{ count: number }>(
      'SELECT count(*)::int AS count FROM undelivered',
    );
    return row?.count ?? 0;
  };
  for (let sent = 0; sent < EVENTS; sent += BATCH) {
    const events = Array.from({ length: BATCH }, (_, n) => harness.event({ n: sent + n }));
    await harness.ingest(events);
    if (sent === EVENTS / 2) {
      await until(async () => (await undelivered()) < EVENTS / 2);
      await rabbit.kill();
    }
  }
  const atTheKill = await undelivered();
  await rabbit.start();
  await until(async () => (await undelivered()) === 0, { timeoutMs: 300_000 });
  await worker[Symbol.asyncDispose]();
  const deliveries = await harness.database.query<{ id: string }>('SELECT id FROM deliveries');
  const ids = deliveries.map(({ id }) => id);
  const received = (await drain(queue)).map(({ properties }) => String(properties.messageId));
  const failed = await harness.database.query<{ error: string; count: number }>(
    'SELECT error, count(*)::int AS count FROM attempts WHERE error IS NOT NULL GROUP BY error',
  );
  const distinct = new Set(received);
  const lost = ids.filter((id) => !distinct.has(id));
  const counts = {
    deliveries: ids.length,
    undeliveredAtTheRestart: atTheKill,
    failedAttempts: Object.fromEntries(failed.map(({ error, count }) => [error, count])),
    received: received.length,
    receivedAgain: received.length - distinct.size,
    lost: lost.length,
  };
  process.stdout.write(`${JSON.stringify(counts)}\n`);
  expect(ids).toHaveLength(EVENTS);
  expect(lost).toEqual([]);
});
