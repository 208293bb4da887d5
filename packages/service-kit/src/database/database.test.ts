import { createEmptyDatabase, type TestDatabase } from '@atrium/testkit/database';
import { startOutage } from '@atrium/testkit/outage';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { startTestServer } from '../../test/test-server.ts';
import { isDatabaseUnavailable, openDatabase, type Database } from './database.ts';

const ORIGIN = { job: 'test' };

let testDatabase: TestDatabase;
let db: Database;

beforeAll(async () => {
  testDatabase = await createEmptyDatabase();
  db = openDatabase({ url: testDatabase.url, applicationName: 'kit-test' });
  await db.query('CREATE TABLE things (id int PRIMARY KEY)');
});

afterAll(async () => {
  await db[Symbol.asyncDispose]();
  await testDatabase[Symbol.asyncDispose]();
});

const failureOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  );

describe('a database', () => {
  it('runs queries under its application name', async () => {
    const rows = await db.query<{ name: string }>(
      "SELECT current_setting('application_name') AS name",
    );
    expect(rows).toEqual([{ name: 'kit-test' }]);
  });

  it('never compiles a statement', async () => {
    expect(await db.query('SHOW jit')).toEqual([{ jit: 'off' }]);
  });

  it('leaves nothing in a session behind PgBouncer, but its time zone', async () => {
    const url = `${testDatabase.url}?pgbouncer=true`;
    await using pooled = openDatabase({ url, max: 1, applicationName: 'pooled' });
    expect(await pooled.query('SHOW TimeZone')).toEqual([{ TimeZone: 'UTC' }]);
    expect(await pooled.query('SHOW statement_timeout')).toEqual([{ statement_timeout: '10s' }]);
    const left = await pooled.pool.query(
      `SELECT current_setting('statement_timeout') AS timeout,
         (SELECT count(*)::int FROM pg_prepared_statements) AS prepared`,
    );
    expect(left.rows).toEqual([{ timeout: '0', prepared: 0 }]);
  });

  it('commits all of a transaction or rolls all of it back', async () => {
    const kept = await db.transaction(ORIGIN, async (tx) => {
      await tx.query('INSERT INTO things VALUES ($1)', [1]);
      return 'kept';
    });
    expect(kept).toBe('kept');
    const lost = db.transaction(ORIGIN, async (tx) => {
      await tx.query('INSERT INTO things VALUES ($1)', [2]);
      throw new Error('changed my mind');
    });
    await expect(lost).rejects.toThrow('changed my mind');
    expect(await db.query('SELECT id FROM things')).toEqual([{ id: 1 }]);
  });

  it('runs a transaction again that was rolled back in a deadlock', async () => {
    await db.query('INSERT INTO things VALUES (11), (12)');
    const met = Promise.withResolvers<void>();
    let runs = 0;
    let locked = 0;
    const lockBoth = (first: number, second: number) =>
      db.transaction(ORIGIN, async (tx) => {
        runs += 1;
        // At once it could take its first lock again before the other transaction has woken up.
        if (runs === 3) await Promise.race(both);
        await tx.query('SELECT id FROM things WHERE id = $1 FOR UPDATE', [first]);
        locked += 1;
        if (locked === 2) met.resolve();
        await met.promise;
        return tx.query('SELECT id FROM things WHERE id = $1 FOR UPDATE', [second]);
      });
    const both = [lockBoth(11, 12), lockBoth(12, 11)];
    expect(await Promise.all(both)).toEqual([[{ id: 12 }], [{ id: 11 }]]);
    expect(runs).toBe(3);
  });

  it('runs a transaction or a statement twice at most', async () => {
    const fail = `DO $$ BEGIN PERFORM nextval('runs'); RAISE 'conflict' USING ERRCODE = '40001'; END $$`;
    await db.query('CREATE SEQUENCE runs');
    await expect(db.query(fail)).rejects.toThrow('conflict');
    await expect(db.transaction(ORIGIN, (tx) => tx.query(fail))).rejects.toThrow('conflict');
    expect(await db.query('SELECT last_value::int AS runs FROM runs')).toEqual([{ runs: 4 }]);
    const other = fail.replace('40001', '40002');
    await expect(db.transaction(ORIGIN, (tx) => tx.query(other))).rejects.toThrow('conflict');
    expect(await db.query('SELECT last_value::int AS runs FROM runs')).toEqual([{ runs: 5 }]);
  });

  it('does not treat an error of the caller as an outage', async () => {
    const duplicate = await failureOf(db.query('INSERT INTO things VALUES (1), (1)'));
    expect(duplicate).toBeInstanceOf(Error);
    expect(isDatabaseUnavailable(duplicate)).toBe(false);
  });
});

describe('while Postgres is unavailable', () => {
  it('fails as unavailable, and works again without a restart', async () => {
    await using outage = await startOutage(testDatabase.url);
    await using away = openDatabase({ url: outage.url, applicationName: 'kit-test' });
    await using app = await startTestServer(
      (server) => {
        server.get('/things', () => away.query('SELECT id FROM things'));
      },
      { ready: { database: () => away.check() } },
    );
    const statuses = () =>
      Promise.all(
        ['/things', '/readyz', '/livez'].map(
          async (path) => (await fetch(app.origin + path)).status,
        ),
      );
    expect(await statuses()).toEqual([200, 200, 200]);
    await outage.begin();
    expect(await statuses()).toEqual([503, 503, 200]);
    expect(await statuses()).toEqual([503, 503, 200]);
    await outage.end();
    expect(await statuses()).toEqual([200, 200, 200]);
  });

  it('fails as unavailable in the middle of a transaction', async () => {
    await using outage = await startOutage(testDatabase.url);
    await using away = openDatabase({ url: outage.url, applicationName: 'kit-test' });
    const failure = await failureOf(
      away.transaction(ORIGIN, async (tx) => {
        await tx.query('INSERT INTO things VALUES (7)');
        await outage.begin();
        await tx.query('SELECT 1');
      }),
    );
    expect(isDatabaseUnavailable(failure)).toBe(true);
    expect(await db.query('SELECT id FROM things WHERE id = 7')).toEqual([]);
  });

  it('fails as unavailable when the server ends the connection or a statement takes too long', async () => {
    const ended = await failureOf(
      db.transaction(ORIGIN, (tx) => tx.query('SELECT pg_terminate_backend(pg_backend_pid())')),
    );
    expect(isDatabaseUnavailable(ended)).toBe(true);
    const slow = await failureOf(
      db.transaction(ORIGIN, async (tx) => {
        await tx.query("SET LOCAL statement_timeout = '50ms'");
        await tx.query('SELECT pg_sleep(5)');
      }),
    );
    expect(isDatabaseUnavailable(slow)).toBe(true);
    await db.check();
  });
});

it('prepares a statement once per connection, and runs more statements than it prepares', async () => {
  // As in a process that has prepared nothing yet.
  vi.resetModules();
  const { openDatabase } = await import('./database.ts');
  await using single = openDatabase({ url: testDatabase.url, max: 1, applicationName: 'single' });
  for (let round = 0; round < 3; round += 1) {
    expect(await single.query('SELECT $1::int + 1 AS next', [round])).toEqual([
      { next: round + 1 },
    ]);
  }
  const prepared = await single.query(
    `SELECT statement FROM pg_prepared_statements WHERE statement LIKE '%AS next'`,
  );
  expect(prepared).toHaveLength(1);
  for (let n = 0; n < 600; n += 1) {
    expect(await single.query(`SELECT ${n} AS n`)).toEqual([{ n }]);
  }
});
