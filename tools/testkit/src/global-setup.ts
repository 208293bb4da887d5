import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { databaseUrl, startPostgres, startRedis } from '@atrium/local-stack/servers';
import { Redis } from 'ioredis';
import type { TestProject } from 'vitest/node';
import { withClient } from './connection.ts';
import { migrateDatabase } from './migrate.ts';
import type { DatabaseOwner, Template, TestServers } from './servers.ts';

/**
 * Before all tests: real servers (those of DATABASE_URL and REDIS_URL, where they are set) and one
 * migrated template database per service. After all tests everything is taken away again.
 *
 * @public Vitest calls it.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  await using stack = new AsyncDisposableStack();
  const directory = await mkdtemp(join(tmpdir(), 'atrium-test-'));
  stack.defer(() => rm(directory, { recursive: true, force: true }));
  const runId = randomBytes(4).toString('hex');
  const [postgresUrl, redisUrl] = await Promise.all([
    openPostgres(stack, join(directory, 'postgres'), runId),
    openRedis(stack, join(directory, 'redis'), runId),
  ]);
  const templates = await migrateTemplates(postgresUrl, runId);
  project.provide('testServers', { postgresUrl, redisUrl, runId, templates });
  const kept = stack.move();
  return () => kept.disposeAsync();
}

async function openPostgres(stack: AsyncDisposableStack, dataDir: string, runId: string) {
  const given = process.env['DATABASE_URL'];
  if (given === undefined) {
    const server = await startPostgres({ dataDir, durable: false });
    stack.defer(() => server.stop());
    return server.url;
  }
  stack.defer(() => dropDatabases(given, runId));
  return given;
}

async function openRedis(stack: AsyncDisposableStack, dataDir: string, runId: string) {
  const given = process.env['REDIS_URL'];
  if (given === undefined) {
    const server = await startRedis({ dataDir });
    stack.defer(() => server.stop());
    return server.url;
  }
  stack.defer(() => deleteKeys(given, runId));
  return given;
}

async function migrateTemplates(
  postgresUrl: string,
  runId: string,
): Promise<TestServers['templates']> {
  const migrate = async (owner: DatabaseOwner): Promise<Template> => {
    const database = `atrium_${runId}_${owner}_template`;
    try {
      await migrateDatabase(owner, { DATABASE_URL: databaseUrl(postgresUrl, database) });
      return { database };
    } catch (error) {
      // Fails the tests that need this database, and only those.
      return { fault: String(error) };
    }
  };
  const [auth, notes, links, webhooks] = await Promise.all([
    migrate('auth'),
    migrate('notes'),
    migrate('links'),
    migrate('webhooks'),
  ]);
  return { auth, notes, links, webhooks };
}

async function dropDatabases(postgresUrl: string, runId: string): Promise<void> {
  await withClient(postgresUrl, async (client) => {
    const { rows } = await client.query<{ datname: string }>(
      'SELECT datname FROM pg_database WHERE starts_with(datname, $1)',
      [`atrium_${runId}_`],
    );
    for (const { datname } of rows) {
      await client.query(`DROP DATABASE IF EXISTS ${datname} WITH (FORCE)`);
    }
  });
}

async function deleteKeys(redisUrl: string, runId: string): Promise<void> {
  const redis = new Redis(redisUrl);
  for await (const keys of redis.scanStream({ match: `*t-${runId}-*`, count: 500 })) {
    for (const key of keys as string[]) await redis.del(key);
  }
  redis.disconnect();
}
