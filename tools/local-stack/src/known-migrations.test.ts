import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { unknownMigrations } from './known-migrations.ts';
import { startPlatform } from './platform.ts';
import { findFreePortBase } from './ports.ts';
import { PROCESSES } from './processes/process-table.ts';
import { databaseUrl, type LocalServer, startPostgres } from './servers/servers.ts';

let dataDir: string;
let postgres: LocalServer;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'atrium-migrations-'));
  postgres = await startPostgres({ dataDir: join(dataDir, 'postgres'), durable: false });
});
afterAll(async () => {
  await postgres.stop();
  await rm(dataDir, { recursive: true, force: true });
});

async function execute(url: string, sql: string): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}

function notesFolder(): string {
  const notes = PROCESSES.find(({ name }) => name === 'notes');
  if (notes === undefined) throw new Error('no process notes');
  return notes.folder;
}

test('a database that does not exist yet has no unknown migrations', async () => {
  expect(await unknownMigrations(notesFolder(), databaseUrl(postgres.url, 'absent'))).toEqual([]);
});

test('the start says in one line what to do with the data of another version', async () => {
  await execute(postgres.url, 'CREATE DATABASE old_notes');
  await execute(
    databaseUrl(postgres.url, 'old_notes'),
    `CREATE TABLE _prisma_migrations
       (migration_name text, checksum text, rolled_back_at timestamptz, started_at timestamptz);
     INSERT INTO _prisma_migrations VALUES
       ('0001_init', 'other SQL', NULL, now()), ('0002_later', 'x', NULL, now()),
       ('0003_undone', 'x', now(), now())`,
  );
  const starting = startPlatform({
    env: { PATH: process.env['PATH'], DATABASE_URL: postgres.url },
    databasePrefix: 'old',
    portBase: await findFreePortBase(),
    dataDir,
    logs: () => undefined,
  });
  await expect(starting).rejects.toThrow(
    'The notes database was made by another version of Atrium (0001_init, 0002_later): ' +
      `delete ${dataDir}, or set DATA_DIR to a new folder, and start again.`,
  );
});
