import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Platform } from '@atrium/local-stack/platform';
import { startPostgres, startRedis } from '@atrium/local-stack/servers';
import { Redis } from 'ioredis';
import { logIn, makePerson, type Person } from '../accounts.ts';
import { startAtrium } from '../atrium.ts';
import { type BreakableServer, startBreakable } from './server.ts';

/** A platform with servers of its own, all of which may be broken, and one account on it. */
export interface World extends AsyncDisposable {
  platform: Platform;
  postgres: BreakableServer;
  redis: BreakableServer;
  /** Makes Redis forget everything. */
  flushRedis(): Promise<void>;
  owner: Person;
  /** Gives the owner an access token that lasts another 15 minutes. */
  renewToken(): Promise<void>;
  /** What the processes have written so far. */
  logLines: readonly string[];
}

const SETTINGS = {
  LOG_LEVEL: 'warn',
  // All five attempts take less time than the outage of a receiver: recovering them is tried too.
  WEBHOOK_RETRY_DELAYS_MS: '500,1000,2000,4000',
  WEBHOOK_TIMEOUT_MS: '5000',
};

/** Everything is durable, as in production: only a crash of the machine itself is not tried. */
export async function startWorld(): Promise<World> {
  await using stack = new AsyncDisposableStack();
  const dataDir = await mkdtemp(join(tmpdir(), 'atrium-chaos-'));
  stack.defer(() => rm(dataDir, { recursive: true, force: true }));
  const postgres = stack.use(
    await startBreakable((port) => startPostgres({ dataDir: join(dataDir, 'postgres'), port })),
  );
  const redis = stack.use(
    await startBreakable((port) => startRedis({ dataDir: join(dataDir, 'redis'), port })),
  );
  const atrium = stack.use(
    await startAtrium({ ...SETTINGS, DATABASE_URL: postgres.url, REDIS_URL: redis.url }),
  );
  const owner = await makePerson(atrium.urls.auth, atrium.mailbox, 'ada');
  const kept = stack.move();
  return {
    platform: atrium.platform,
    postgres,
    redis,
    flushRedis: () => flush(redis.url),
    owner,
    async renewToken() {
      Object.assign(owner, await logIn(atrium.urls.auth, owner));
    },
    logLines: atrium.logLines,
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

async function flush(url: string): Promise<void> {
  const client = new Redis(url);
  try {
    await client.flushall();
  } finally {
    client.disconnect();
  }
}
