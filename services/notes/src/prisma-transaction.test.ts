import {
  openDatabase,
  PRISMA_OPTIONS,
  sqlOf,
  TRANSACTION_LIMITS,
} from '@atrium/service-kit/database';
import { createTestDatabase } from '@atrium/testkit/database';
import { PrismaPg } from '@prisma/adapter-pg';
import { afterAll, expect, test } from 'vitest';
import { PrismaClient } from './generated/client.ts';

const stack = new AsyncDisposableStack();
const { url } = stack.use(await createTestDatabase('notes'));
const database = stack.use(openDatabase({ url, applicationName: 'notes-test' }));
const prisma = new PrismaClient({ adapter: new PrismaPg(database.pool, PRISMA_OPTIONS) });
stack.defer(() => prisma.$disconnect());
afterAll(() => stack.disposeAsync());

const INSERT = 'INSERT INTO owners (account_id, workspace_count) VALUES ($1, $2)';

test('raw SQL in a Prisma transaction reads and writes the values that the database does', async () => {
  const text = `SELECT $1::text AS "text", $2::int AS "int", $3::bigint AS "bigint", $4::bytea AS "bytes",
    $5::timestamptz AS "time", $6::text[] AS "texts", $7::jsonb AS "json", $8::text AS "none"`;
  const time = new Date('2026-01-02T03:04:05.678Z');
  const values = ['a', 1, 2, Buffer.from('b'), time, ['c', null], '{"d":1}', null];
  const direct = await database.query(text, values);
  const viaPrisma = await prisma.$transaction(
    (tx) => sqlOf(tx).query(text, values),
    TRANSACTION_LIMITS,
  );
  expect(viaPrisma).toEqual(direct);
});

test('raw and typed statements of a Prisma transaction are kept or lost together', async () => {
  await prisma.$transaction(async (tx) => {
    await sqlOf(tx).query(INSERT, ['kept', 1]);
    await tx.owner.update({ where: { accountId: 'kept' }, data: { workspaceCount: 2 } });
  }, TRANSACTION_LIMITS);
  const lost = prisma.$transaction(async (tx) => {
    await sqlOf(tx).query(INSERT, ['lost', 1]);
    await tx.owner.update({ where: { accountId: 'lost' }, data: { workspaceCount: 2 } });
    throw new Error('rolled back');
  }, TRANSACTION_LIMITS);
  await expect(lost).rejects.toThrow('rolled back');
  expect(await database.query('SELECT account_id, workspace_count FROM owners')).toEqual([
    { account_id: 'kept', workspace_count: 2 },
  ]);
});

test('writes the same time when the database has another time zone', async () => {
  const name = new URL(url).pathname.slice(1);
  await database.query(`ALTER DATABASE "${name}" SET TimeZone = 'Asia/Tokyo'`);
  await using abroad = openDatabase({ url, applicationName: 'notes-test-abroad' });
  const client = new PrismaClient({ adapter: new PrismaPg(abroad.pool, PRISMA_OPTIONS) });
  const time = new Date('2026-01-02T03:04:05.678Z');
  const text = 'SELECT extract(epoch FROM $1::timestamptz)::float8 * 1000 AS ms';
  const rows = await client.$transaction((tx) => sqlOf(tx).query(text, [time]), TRANSACTION_LIMITS);
  await client.$disconnect();
  expect(rows).toEqual([{ ms: time.getTime() }]);
});
