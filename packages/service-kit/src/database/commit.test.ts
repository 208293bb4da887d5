import { createEmptyDatabase, type TestDatabase } from '@atrium/testkit/database';
import { type Outage, startOutage } from '@atrium/testkit/outage';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../../test/test-server.ts';
import { type Database, isDatabaseUnavailable, openDatabase, type Sql } from './database.ts';

const INSERT = 'INSERT INTO things DEFAULT VALUES';
// A row in the table makes the COMMIT fail with its SQLSTATE.
const REJECTIONS = [
  'CREATE TABLE rejections (state text)',
  `CREATE FUNCTION reject() RETURNS trigger LANGUAGE plpgsql AS
     $$ BEGIN RAISE 'rejected' USING ERRCODE = NEW.state; END $$`,
  `CREATE CONSTRAINT TRIGGER reject AFTER INSERT ON rejections DEFERRABLE INITIALLY DEFERRED
     FOR EACH ROW EXECUTE FUNCTION reject()`,
];
const rejectCommit = (tx: Sql, state: string) =>
  tx.query('INSERT INTO rejections VALUES ($1)', [state]);

let stack: AsyncDisposableStack;
let testDatabase: TestDatabase;
let outage: Outage;
let away: Database;
let app: TestServer;
let beforeCommit: (tx: Sql) => Promise<unknown>;

beforeAll(async () => {
  stack = new AsyncDisposableStack();
  testDatabase = stack.use(await createEmptyDatabase());
  outage = stack.use(await startOutage(testDatabase.url));
  away = stack.use(openDatabase({ url: outage.url, applicationName: 'kit-test' }));
  await away.query('CREATE TABLE things (id int GENERATED ALWAYS AS IDENTITY)');
  for (const statement of REJECTIONS) await away.query(statement);
  app = stack.use(
    await startTestServer((server) => {
      server.get('/things', () => away.snapshot((tx) => tx.query('SELECT id FROM things')));
      server.post('/things', (request) =>
        away.transaction({ requestId: request.id }, async (tx) => {
          await tx.query(INSERT);
          await beforeCommit(tx);
        }),
      );
    }),
  );
});

afterAll(() => stack.disposeAsync());

beforeEach(async () => {
  beforeCommit = async () => undefined;
  await away.query('TRUNCATE things');
});

async function send(method: 'GET' | 'POST') {
  const response = await fetch(`${app.origin}/things`, { method });
  const [code, retryAfter] = ['error-code', 'retry-after'].map((name) =>
    response.headers.get(name),
  );
  return { status: response.status, code, retryAfter };
}

const UNAVAILABLE = { status: 503, code: 'unavailable', retryAfter: '5' };

async function thingCount(): Promise<number> {
  return (await away.query('SELECT id FROM things')).length;
}

it('answers 500 and not 503 when the result of a COMMIT is lost', async () => {
  outage.loseAnswerTo('COMMIT');
  expect(await send('POST')).toEqual({ status: 500, code: 'outcome-unknown', retryAfter: null });
  expect(await thingCount()).toBe(1);
});

it('answers 500 when PgBouncer has lost Postgres during a COMMIT', async () => {
  beforeCommit = (tx) => rejectCommit(tx, '08P01');
  expect(await send('POST')).toMatchObject({ status: 500, code: 'outcome-unknown' });
});

it('answers 503 when the connection is lost before the COMMIT is sent', async () => {
  beforeCommit = async (tx) => {
    await outage.begin();
    await tx.query('SELECT 1').catch(() => undefined);
  };
  expect(await send('POST')).toEqual(UNAVAILABLE);
  await outage.end();
  expect(await thingCount()).toBe(0);
});

it('answers 503 when Postgres rejects a COMMIT and is unavailable', async () => {
  beforeCommit = (tx) => rejectCommit(tx, '53100');
  expect(await send('POST')).toEqual(UNAVAILABLE);
  expect(await thingCount()).toBe(0);
});

it('answers 503 when the result of a COMMIT that changed nothing is lost', async () => {
  outage.loseAnswerTo('COMMIT');
  expect(await send('GET')).toEqual(UNAVAILABLE);
});

it('is an outage to jobs, which try again', async () => {
  outage.loseAnswerTo('COMMIT');
  const failed = away.transaction({ job: 'test' }, (tx) => tx.query(INSERT));
  await expect(failed).rejects.toSatisfy(isDatabaseUnavailable);
});

it('runs a transaction again whose COMMIT fails in a conflict', async () => {
  let runs = 0;
  beforeCommit = async (tx) => {
    runs += 1;
    if (runs === 1) await rejectCommit(tx, '40001');
  };
  expect(await send('POST')).toMatchObject({ status: 200 });
  expect(await thingCount()).toBe(1);
});
