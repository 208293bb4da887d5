import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createEmptyDatabase } from '@atrium/testkit/database';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openDatabase, type Database } from './database.ts';
import { createLogger } from '../logger.ts';
import { assertMigrated, migrate } from './migrations.ts';

const logger = createLogger({ service: 'test', level: 'silent' });
let stack: AsyncDisposableStack;
let directory: string;
let url: string;
let db: Database;

async function write(name: string, sql: string): Promise<void> {
  await mkdir(join(directory, name), { recursive: true });
  await writeFile(join(directory, name, 'migration.sql'), sql);
}

beforeEach(async () => {
  stack = new AsyncDisposableStack();
  directory = await mkdtemp(join(tmpdir(), 'atrium-migrations-'));
  stack.defer(() => rm(directory, { recursive: true }));
  url = stack.use(await createEmptyDatabase()).url;
  db = stack.use(openDatabase({ url, applicationName: 'test' }));
  await writeFile(join(directory, 'migration_lock.toml'), 'provider = "postgresql"\n');
  await write('0001_init', 'CREATE TABLE a (id int); INSERT INTO a VALUES (1);');
  await write('0002_more', 'CREATE TABLE b (id int);');
});

afterEach(() => stack.disposeAsync());

const run = () => migrate({ url, directory, logger });
const assert = () => assertMigrated({ pool: db.pool, directory });

describe('migrate', () => {
  it('applies pending migrations once, in order', async () => {
    expect(await run()).toEqual({ applied: ['0001_init', '0002_more'] });
    expect(await run()).toEqual({ applied: [] });
    await write('0003_again', 'INSERT INTO a VALUES (3);');
    expect(await run()).toEqual({ applied: ['0003_again'] });
    expect(await db.query('SELECT id FROM a ORDER BY id')).toEqual([{ id: 1 }, { id: 3 }]);
  });

  it('writes the same rows as Prisma', async () => {
    await run();
    const [row] = await db.query('SELECT * FROM _prisma_migrations ORDER BY started_at LIMIT 1');
    expect(row).toMatchObject({
      migration_name: '0001_init',
      // `sha256sum migration.sql`
      checksum: expect.stringMatching(/^[0-9a-f]{64}$/),
      finished_at: expect.any(Date),
      rolled_back_at: null,
      logs: null,
      applied_steps_count: 1,
    });
  });

  it('applies each migration once when several run at the same time', async () => {
    const results = await Promise.all([run(), run(), run()]);
    expect(results.flatMap(({ applied }) => applied).toSorted()).toEqual([
      '0001_init',
      '0002_more',
    ]);
    expect(await db.query('SELECT id FROM a')).toHaveLength(1);
  });

  it('creates a missing database, even when two processes do so at once', async () => {
    const missing = `${url}_missing`;
    const name = new URL(missing).pathname.slice(1);
    stack.defer(async () => {
      await db.query(`DROP DATABASE "${name}" WITH (FORCE)`);
    });
    const both = await Promise.all([
      migrate({ url: missing, directory, logger }),
      migrate({ url: missing, directory, logger }),
    ]);
    expect(both.flatMap(({ applied }) => applied)).toHaveLength(2);
  });

  it('says in one line what to do when an applied migration has changed', async () => {
    await run();
    await write('0001_init', 'CREATE TABLE other (id int);');
    await expect(run()).rejects.toThrow(
      'The database was created by an incompatible version (migration 0001_init has changed since): ' +
        'start with an empty one',
    );
  });

  it('leaves nothing of a failed migration, so that it can be run again', async () => {
    await write('0003_once_more', 'CREATE TABLE c (id int); SELECT id FROM missing;');
    await expect(run()).rejects.toThrow(/^Migration 0003_once_more failed: relation "missing"/);
    await expect(assert()).rejects.toThrow('Migration 0003_once_more is pending');
    const [row] = await db.query("SELECT to_regclass('c') AS c, to_regclass('b') AS b");
    expect(row).toEqual({ c: null, b: 'b' });
    await db.query('CREATE TABLE missing (id int)');
    expect(await run()).toEqual({ applied: ['0003_once_more'] });
  });

  it('leaves nothing of a migration that is killed', async () => {
    await write(
      '0003_killed',
      'CREATE TABLE c (id int); SELECT pg_terminate_backend(pg_backend_pid());',
    );
    await expect(run()).rejects.toThrow('Migration 0003_killed failed');
    await write('0003_killed', 'CREATE TABLE c (id int);');
    expect(await run()).toEqual({ applied: ['0003_killed'] });
  });

  it('refuses what cannot run in a transaction, and says so', async () => {
    await write('0003_index', 'CREATE INDEX CONCURRENTLY a_id ON a (id);');
    await expect(run()).rejects.toThrow(
      'Migration 0003_index failed: CREATE INDEX CONCURRENTLY cannot run inside a transaction block',
    );
    expect(await db.query("SELECT to_regclass('a_id') AS index")).toEqual([{ index: null }]);
  });

  it('refuses what Prisma has recorded as failed', async () => {
    await run();
    await db.query(
      "UPDATE _prisma_migrations SET finished_at = NULL WHERE migration_name = '0002_more'",
    );
    await expect(run()).rejects.toThrow('Migration 0002_more failed earlier');
    await expect(assert()).rejects.toThrow('Migration 0002_more failed earlier');
  });
});

describe('assertMigrated', () => {
  it('throws when any migration is pending', async () => {
    await expect(assert()).rejects.toThrow('Migration 0001_init, 0002_more is pending');
    await run();
    await expect(assert()).resolves.toBeUndefined();
    await write('0003_new', 'SELECT 1;');
    await expect(assert()).rejects.toThrow('Migration 0003_new is pending');
  });

  it('ignores a migration of a newer version that has failed', async () => {
    await run();
    await db.query(
      "UPDATE _prisma_migrations SET finished_at = NULL WHERE migration_name = '0002_more'",
    );
    await rm(join(directory, '0002_more'), { recursive: true });
    await expect(assert()).resolves.toBeUndefined();
  });

  it('throws when a migration has changed, but not when the database is ahead', async () => {
    await run();
    await rm(join(directory, '0002_more'), { recursive: true });
    await expect(assert()).resolves.toBeUndefined();
    await write('0001_init', '-- changed');
    await expect(assert()).rejects.toThrow('incompatible version');
  });
});
