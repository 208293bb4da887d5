import { newId } from '@atrium/contracts/ids';
import pg from 'pg';
import { startChild } from '../child.ts';
import type { Figures } from '../figures.ts';
import { append, startProducer } from './end-to-end.ts';
import { PADDING } from './seed.ts';
import type { Environment } from './environment.ts';

const POSTS = 50_000;
const INSERTS = 10_000;
const INSERT_CONNECTIONS = 4;
const APPEND_SECONDS = 5;

/**
 * What the machine can do at best: the same requests unstored, durable inserts alone, and events
 * that are appended as a producer does and carried no further.
 */
export async function baselines(environment: Environment): Promise<Figures> {
  const body = JSON.stringify({ padding: PADDING });
  return {
    'bare POSTs/s': await posts(environment, body),
    'durable one-row inserts/s': await inserts(environment, body),
    'appended events/s': await appends(environment),
  };
}

async function posts(environment: Environment, body: string): Promise<number> {
  const args = [environment.receiver.origin, String(POSTS), body];
  await using sender = startChild('webhooks/bare-sender.ts', args);
  return (await sender.next<{ perSecond: number }>('perSecond')).perSecond;
}

async function inserts({ webhooks }: Environment, body: string): Promise<number> {
  await webhooks.query('CREATE TABLE IF NOT EXISTS bench_baseline (body text)');
  let left = INSERTS;
  const startedMs = performance.now();
  const insert = async () => {
    while (left > 0) {
      left -= 1;
      await webhooks.query('INSERT INTO bench_baseline VALUES ($1)', [body]);
    }
  };
  await Promise.all(Array.from({ length: INSERT_CONNECTIONS }, insert));
  const perSecond = INSERTS / ((performance.now() - startedMs) / 1000);
  await webhooks.query('DROP TABLE bench_baseline');
  return perSecond;
}

async function appends(environment: Environment): Promise<number> {
  const perSecond = await appendAlone(environment);
  const client = new pg.Client({ connectionString: environment.linksUrl });
  await client.connect();
  try {
    await client.query('TRUNCATE outbox');
  } finally {
    await client.end();
  }
  return perSecond;
}

async function appendAlone(environment: Environment): Promise<number> {
  await using producer = await startProducer(environment, { hasRelay: false });
  const load = { accountIds: [newId('usr')], rate: 0, outstandingMax: Number.MAX_SAFE_INTEGER };
  await append(producer, { ...load, seconds: 1 });
  return (await append(producer, { ...load, seconds: APPEND_SECONDS })) / APPEND_SECONDS;
}
