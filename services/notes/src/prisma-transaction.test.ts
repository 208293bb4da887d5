import {
  openDatabase,
  PRISMA_OPTIONS,
  sqlOf,
  prismaTransaction,
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

const COUNT = 'UPDATE owners SET workspace_count = workspace_count + 1 WHERE account_id = $1';
const INSERT = 'INSERT INTO owners (account_id, workspace_count) VALUES ($1, $2)';

test('raw SQL in a Prisma transaction reads and writes the values that the database does', async () => {
  const text = `SELECT $1::text AS "text", $2::int AS "int", $3::bigint AS "bigint", $4::bytea AS "bytes",
    $5::timestamptz AS "time", $6::text[] AS "texts", $7::jsonb AS "json", $8::text AS "none"`;
  const time = new Date('2026-01-02T03:04:05.678Z');
  const values = ['a', 1, 2, Buffer.from('b'), time, ['c', null], '{"d":1}', null];
  const direct = await database.query(text, values);
  const viaPrisma = await prismaTransaction(prisma, (tx) => sqlOf(tx).query(text, values));
  expect(viaPrisma).toEqual(direct);
});

test('raw and typed statements of a Prisma transaction are kept or lost together', async () => {
  await prismaTransaction(prisma, async (tx) => {
    await sqlOf(tx).query(INSERT, ['kept', 1]);
    await tx.owner.update({ where: { accountId: 'kept' }, data: { workspaceCount: 2 } });
  });
  const lost = prismaTransaction(prisma, async (tx) => {
    await sqlOf(tx).query(INSERT, ['lost', 1]);
    await tx.owner.update({ where: { accountId: 'lost' }, data: { workspaceCount: 2 } });
    throw new Error('rolled back');
  });
  await expect(lost).rejects.toThrow('rolled back');
  expect(await database.query('SELECT account_id, workspace_count FROM owners')).toEqual([
    { account_id: 'kept', workspace_count: 2 },
  ]);
});

test.each(['raw', 'typed'])(
  'a Prisma transaction that was rolled back in a deadlock of %s statements runs again',
  async (kind) => {
    const ids = [`${kind}-1`, `${kind}-2`] as const;
    for (const id of ids) await database.query(INSERT, [id, 0]);
    const met = Promise.withResolvers<void>();
    let runs = 0;
    const countBoth = (order: readonly string[]) =>
      prismaTransaction(prisma, async (tx) => {
        runs += 1;
        for (const [at, accountId] of order.entries()) {
          if (at === 1) await met.promise;
          const data = { workspaceCount: { increment: 1 } };
          await (kind === 'typed'
            ? tx.owner.update({ where: { accountId }, data })
            : sqlOf(tx).query(COUNT, [accountId]));
          if (runs === 2) met.resolve();
        }
      });
    await Promise.all([countBoth(ids), countBoth(ids.toReversed())]);
    expect(runs).toBe(3);
    const counts = 'SELECT workspace_count AS count FROM owners WHERE account_id = ANY ($1)';
    expect(await database.query(counts, [ids])).toEqual([{ count: 2 }, { count: 2 }]);
  },
);

test('writes the same time when the database has another time zone', async () => {
  const name = new URL(url).pathname.slice(1);
  await database.query(`ALTER DATABASE "${name}" SET TimeZone = 'Asia/Tokyo'`);
  await using abroad = openDatabase({ url, applicationName: 'notes-test-abroad' });
  const client = new PrismaClient({ adapter: new PrismaPg(abroad.pool, PRISMA_OPTIONS) });
  const time = new Date('2026-01-02T03:04:05.678Z');
  const text = 'SELECT extract(epoch FROM $1::timestamptz)::float8 * 1000 AS ms';
  const rows = await prismaTransaction(client, (tx) => sqlOf(tx).query(text, [time]));
  await client.$disconnect();
  expect(rows).toEqual([{ ms: time.getTime() }]);
});
