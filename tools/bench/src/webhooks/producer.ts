// A producing service for the webhook benchmarks: appends events to an outbox, each in a transaction
// of its own, and runs the relay, as auth, notes and links do.
import { appendEvent } from '@atrium/events/outbox';
import { startRelay } from '@atrium/events/relay';
import { openDatabase } from '@atrium/service-kit/database';
import { createLogger } from '@atrium/service-kit/logger';
import { referrerOf } from './receiver-report.ts';

interface Load {
  accountIds: string[];
  /** Text that makes a body about as long as the benchmark asks for. */
  padding: string;
  seconds: number;
  /** Events a second; 0 for as many as `outstandingMax` lets through. */
  rate: number;
  outstandingMax: number;
}

const CONNECTIONS = 20;
const [databaseUrl = '', redisUrl = '', queuePrefix = ''] = process.argv.slice(2);
const logger = createLogger({ service: 'bench-producer', level: 'warn' });
const database = openDatabase({
  url: databaseUrl,
  max: CONNECTIONS + 5,
  applicationName: 'bench-producer',
  logger,
});
// Without a Redis the events stay in the outbox.
const relay =
  redisUrl === '' ? undefined : startRelay({ pool: database.pool, redisUrl, queuePrefix, logger });
let appended = 0;
let received = 0;

async function append({ accountIds, padding }: Load): Promise<void> {
  const n = appended;
  appended += 1;
  const accountId = accountIds[n % accountIds.length] ?? '';
  const nowMs = performance.timeOrigin + performance.now();
  const data = {
    linkId: 'lnk_00000000000000000000000000',
    slug: 'bench',
    url: padding,
    clickedAt: new Date(nowMs).toISOString(),
    referrer: referrerOf(n, nowMs),
    userAgent: null,
  };
  // A statement by itself is a transaction, with one round trip instead of three.
  await appendEvent(database, { event: 'go.click', accountId, data });
  relay?.wake();
}

async function run(load: Load): Promise<number> {
  const startedMs = performance.now();
  const endMs = startedMs + load.seconds * 1000;
  const before = appended;
  const work = async () => {
    while (performance.now() < endMs) {
      const dueMs = startedMs + ((appended - before) * 1000) / load.rate;
      const waitMs = load.rate > 0 ? dueMs - performance.now() : 0;
      if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
      else if (load.rate === 0 && appended - received > load.outstandingMax) {
        await new Promise((resolve) => setTimeout(resolve, 2));
      } else await append(load);
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, work));
  return appended - before;
}

async function stop(): Promise<void> {
  await relay?.[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
}

process.on('message', (message: { received: number } | { load: Load }) => {
  if ('received' in message) received = message.received;
  else void run(message.load).then((count) => process.send?.({ appended: count }));
});
process.on('SIGTERM', () => {
  void stop().then(() => process.exit(0));
});
process.send?.({ ready: true });
