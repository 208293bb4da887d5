import { newId } from '@atrium/contracts/ids';
import pg from 'pg';
import { startChild } from '../child.ts';
import type { Figures } from '../figures.ts';
import { append, startProducer } from './end-to-end.ts';
import { FILLING } from './seed.ts';
import type { World } from './world.ts';

const POSTS = 50_000;
const INSERTS = 10_000;
const INSERT_CONNECTIONS = 4;
const APPEND_SECONDS = 5;

/**
 * (a) What the machine can do at best: the same requests unstored, durable inserts alone, and events
 * that are appended as a producer does and carried no further.
 */
export async function yardsticks(world: World): Promise<Figures> {
  const body = JSON.stringify({ filling: FILLING });
  return {
    'bare POSTs/s': await posts(world, body),
    'durable one-row inserts/s': await inserts(world, body),
    'appended events/s': await appends(world),
  };
}

async function posts(world: World, body: string): Promise<number> {
  const args = [world.receiver.origin, String(POSTS), body];
  await using sender = startChild('webhooks/bare-sender.ts', args);
  // Awaited here: the process ends with this function.
  return await sender.next((message) =>
    typeof message === 'object' && message !== null && 'perSecond' in message
      ? Number(message.perSecond)
      : undefined,
  );
}

async function inserts({ webhooks }: World, body: string): Promise<number> {
  await webhooks.query('CREATE TABLE IF NOT EXISTS bench_yardstick (body text)');
  let left = INSERTS;
  const startedMs = performance.now();
  const insert = async () => {
    while (left > 0) {
      left -= 1;
      await webhooks.query('INSERT INTO bench_yardstick VALUES ($1)', [body]);
    }
  };
  await Promise.all(Array.from({ length: INSERT_CONNECTIONS }, insert));
  const perSecond = INSERTS / ((performance.now() - startedMs) / 1000);
  await webhooks.query('DROP TABLE bench_yardstick');
  return perSecond;
}

async function appends(world: World): Promise<number> {
  const perSecond = await appendAlone(world);
  const client = new pg.Client({ connectionString: world.producerUrl });
  await client.connect();
  try {
    await client.query('TRUNCATE outbox');
  } finally {
    await client.end();
  }
  return perSecond;
}

async function appendAlone(world: World): Promise<number> {
  await using producer = await startProducer(world, { carries: false });
  const wish = { accountIds: [newId('usr')], rate: 0, outstandingMax: Number.MAX_SAFE_INTEGER };
  await append(producer, { ...wish, seconds: 1 });
  return (await append(producer, { ...wish, seconds: APPEND_SECONDS })) / APPEND_SECONDS;
}
