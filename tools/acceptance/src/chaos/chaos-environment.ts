import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Platform } from '@atrium/local-stack/platform';
import { startPostgres, startRedis } from '@atrium/local-stack/servers';
import { Redis } from 'ioredis';
import { logIn, createPerson, type Person } from '../accounts.ts';
import { startAtrium } from '../atrium.ts';
import { type BreakableServer, startBreakable } from './breakable-server.ts';
import type { SmallDisk } from './small-disk.ts';

/** A platform and the account that causes events there. */
export interface LoadedPlatform {
  platform: Platform;
  owner: Person;
  /** Gives the owner an access token that lasts another 15 minutes. */
  renewToken(): Promise<void>;
}

/** A platform whose servers can be stopped, with one account. */
export interface ChaosEnvironment extends LoadedPlatform, AsyncDisposable {
  postgres: BreakableServer;
  redis: BreakableServer;
  /** Where Postgres keeps its data, if it can be filled up. */
  disk: SmallDisk | undefined;
  /** Deletes everything in Redis. */
  flushRedis(): Promise<void>;
  /** The log lines of all processes so far. */
  logLines: () => Promise<readonly string[]>;
}

export const CHAOS_SETTINGS = {
  LOG_LEVEL: 'warn',
  // All five attempts take less time than the outage of a receiver, so that recovery is tested too.
  WEBHOOK_RETRY_DELAYS_MS: '500,1000,2000,4000',
  WEBHOOK_TIMEOUT_MS: '5000',
};

/**
 * Everything is durable, as in production. A crash of the machine itself is not tested.
 * @param disk where Postgres keeps its data, if that is to be filled up; it goes with the environment
 */
export async function startChaosEnvironment(disk?: SmallDisk): Promise<ChaosEnvironment> {
  await using stack = new AsyncDisposableStack();
  stack.use(disk);
  const dataDir = await mkdtemp(join(tmpdir(), 'atrium-chaos-'));
  stack.defer(() => rm(dataDir, { recursive: true, force: true }));
  const postgresDir = disk?.path ?? join(dataDir, 'postgres');
  const postgres = stack.use(
    await startBreakable((port) => startPostgres({ dataDir: postgresDir, port })),
  );
  const redis = stack.use(
    await startBreakable((port) => startRedis({ dataDir: join(dataDir, 'redis'), port })),
  );
  const atrium = stack.use(
    await startAtrium({ ...CHAOS_SETTINGS, DATABASE_URL: postgres.url, REDIS_URL: redis.url }),
  );
  const owner = await createPerson(atrium.urls.auth, atrium.mailbox, 'ada');
  const running = stack.move();
  return {
    platform: atrium.platform,
    postgres,
    redis,
    disk,
    flushRedis: () => flush(redis.url),
    owner,
    async renewToken() {
      Object.assign(owner, await logIn(atrium.urls.auth, owner));
    },
    logLines: atrium.logLines,
    [Symbol.asyncDispose]: () => running.disposeAsync(),
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
