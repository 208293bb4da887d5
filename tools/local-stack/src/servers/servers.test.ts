import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { Redis } from 'ioredis';
import pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { isRunning } from '../processes/process-identity.ts';
import { databaseUrl, startPostgres, startRedis } from './servers.ts';

let dataDir: string;
beforeEach(async () => {
  // Owned by root with mode 0700, so that the user of Postgres may not enter.
  dataDir = await mkdtemp(join(tmpdir(), 'atrium-servers-'));
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

async function ask(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}

test('Postgres listens on 127.0.0.1, uses UTF-8 and keeps its data and password', async () => {
  const first = await startPostgres({ dataDir });
  await ask(first.url, 'CREATE DATABASE kept');
  const rows = await ask(
    first.url,
    `SELECT current_setting('server_encoding') AS encoding, datcollate AS locale,
            current_setting('listen_addresses') AS addresses, current_setting('fsync') AS fsync
       FROM pg_database WHERE datname = 'kept'`,
  );
  expect(rows).toEqual([
    { encoding: 'UTF8', locale: 'C.UTF-8', addresses: '127.0.0.1', fsync: 'on' },
  ]);
  await first.stop();
  expect(await first.exited).toBe('exit code 0');

  const second = await startPostgres({ dataDir });
  expect(await ask(databaseUrl(second.url, 'kept'), 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  await second.stop();
  expect((await stat(join(dataDir, 'password'))).mode & 0o777).toBe(0o600);
});

test('Postgres refuses a wrong password', async () => {
  const server = await startPostgres({ dataDir, durable: false });
  const wrong = new URL(server.url);
  wrong.password = 'wrong';
  await expect(ask(wrong.href, 'SELECT 1')).rejects.toThrow('password authentication failed');
  await server.stop();
});

test('Redis keeps its data in an append-only file', async () => {
  const first = await startRedis({ dataDir });
  const before = new Redis(first.url);
  await before.set('kept', 'yes');
  expect(await before.config('GET', 'appendonly')).toEqual(['appendonly', 'yes']);
  before.disconnect();
  await first.stop();

  const second = await startRedis({ dataDir });
  const after = new Redis(second.url);
  expect(await after.get('kept')).toBe('yes');
  after.disconnect();
  await second.stop();
});

test('the next start stops servers that a killed run left behind', async () => {
  const script = fileURLToPath(new URL('../../test/start-servers.ts', import.meta.url));
  const run = spawn(process.execPath, [script, dataDir], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = (await once(createInterface(run.stdout), 'line')) as [string];
  const pids = JSON.parse(line) as { postgres: number; redis: number };
  run.kill('SIGKILL');
  await once(run, 'exit');

  const postgres = await startPostgres({ dataDir: join(dataDir, 'postgres') });
  const redis = await startRedis({ dataDir: join(dataDir, 'redis') });
  expect(await isRunning(pids.postgres, dataDir)).toBe(false);
  expect(await isRunning(pids.redis, 'redis-server')).toBe(false);
  await Promise.all([postgres.stop(), redis.stop()]);
});

test('a server that cannot start reports the end of its log', async () => {
  const server = await startPostgres({ dataDir, durable: false });
  await server.stop();
  await rm(join(dataDir, 'cluster', 'PG_VERSION'));
  await expect(startPostgres({ dataDir })).rejects.toThrow(/Postgres did not start[^]*PG_VERSION/);
});
