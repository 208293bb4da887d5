import { EVENTS_QUEUE } from '@atrium/contracts/queues';
import { newId } from '@atrium/contracts/ids';
import { openDatabase } from '@atrium/service-kit/database';
import { createTestDatabase } from '@atrium/testkit/database';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { createPrisma } from './database.ts';

const stack = new AsyncDisposableStack();
const { url } = stack.use(await createTestDatabase('notes'));
const database = stack.use(openDatabase({ url, applicationName: 'notes-test', createPrisma }));
afterAll(() => stack.disposeAsync());

const INSERT = 'INSERT INTO owners (account_id, workspace_count) VALUES ($1, $2)';
const COUNT = 'UPDATE owners SET workspace_count = workspace_count + 1 WHERE account_id = $1';
const OWNERS = `SELECT account_id AS id, workspace_count AS count FROM owners
  WHERE account_id = ANY ($1) ORDER BY account_id`;
const origin = { requestId: 'req-1' };

describe('a transaction with raw and typed queries', () => {
  test('keeps or loses them together, and sees its own writes', async () => {
    await database.transaction(origin, async (tx) => {
      await tx.query(INSERT, ['kept', 1]);
      await tx.prisma.owner.update({ where: { accountId: 'kept' }, data: { workspaceCount: 2 } });
      expect(await tx.query(OWNERS, [['kept']])).toEqual([{ id: 'kept', count: 2 }]);
      expect(await database.prisma.owner.count({ where: { accountId: 'kept' } })).toBe(0);
    });
    const lost = database.transaction(origin, async (tx) => {
      await tx.prisma.owner.create({ data: { accountId: 'lost', workspaceCount: 1 } });
      await tx.query(COUNT, ['lost']);
      throw new Error('rolled back');
    });
    await expect(lost).rejects.toThrow('rolled back');
    expect(await database.query(OWNERS, [['kept', 'lost']])).toEqual([{ id: 'kept', count: 2 }]);
  });

  test('is rolled back when one of its typed queries fails', async () => {
    const data = { accountId: 'twice', workspaceCount: 1 };
    const failed = database.transaction(origin, async (tx) => {
      await tx.prisma.owner.create({ data });
      await tx.prisma.owner.create({ data });
    });
    await expect(failed).rejects.toMatchObject({ code: 'P2002' });
    expect(await database.query(OWNERS, [['twice']])).toEqual([]);
    await database.check();
  });

  test('many at the same time each have a connection of their own', async () => {
    const ids = Array.from({ length: 30 }, (_, n) => `many-${10 + n}`);
    await Promise.all(
      ids.map((accountId, n) =>
        database
          .transaction(origin, async (tx) => {
            await tx.query(INSERT, [accountId, n]);
            const found = await tx.prisma.owner.findUnique({ where: { accountId } });
            expect(found?.workspaceCount).toBe(n);
            await tx.prisma.owner.findUnique({ where: { accountId: 'kept' } });
            if (n % 2 === 1) throw new Error('odd');
          })
          .catch((error: Error) => expect(error.message).toBe('odd')),
      ),
    );
    const rows = await database.query(OWNERS, [ids]);
    expect(rows).toEqual(ids.flatMap((id, n) => (n % 2 === 0 ? [{ id, count: n }] : [])));
  });

  test.each(['raw', 'typed'])('runs again after a deadlock of %s statements', async (kind) => {
    const ids = [`${kind}-1`, `${kind}-2`] as const;
    for (const id of ids) await database.query(INSERT, [id, 0]);
    const met = Promise.withResolvers<void>();
    let runs = 0;
    let locked = 0;
    const countBoth = (order: readonly string[]) =>
      database.transaction(origin, async (tx) => {
        runs += 1;
        for (const [at, accountId] of order.entries()) {
          if (at === 1) await met.promise;
          const data = { workspaceCount: { increment: 1 } };
          await (kind === 'typed'
            ? tx.prisma.owner.update({ where: { accountId }, data })
            : tx.query(COUNT, [accountId]));
          locked += 1;
          if (locked === 2) met.resolve();
        }
      });
    await Promise.all([countBoth(ids), countBoth(ids.toReversed())]);
    expect(runs).toBe(3);
    expect(await database.query(OWNERS, [ids])).toEqual(ids.map((id) => ({ id, count: 2 })));
  });

  test('reads and writes times as UTC, whatever the zone of the database', async () => {
    const name = new URL(url).pathname.slice(1);
    await database.query(`ALTER DATABASE "${name}" SET TimeZone = 'Asia/Tokyo'`);
    await using abroad = openDatabase({ url, applicationName: 'abroad', createPrisma });
    const planChangedAt = new Date('2026-01-02T03:04:05.678Z');
    await abroad.prisma.owner.create({ data: { accountId: 'abroad', planChangedAt } });
    const rows = await abroad.query(
      `SELECT extract(epoch FROM plan_changed_at)::float8 * 1000 AS ms FROM owners WHERE account_id = 'abroad'`,
    );
    expect(rows).toEqual([{ ms: planChangedAt.getTime() }]);
  });
});

describe('what a transaction appends', () => {
  const woken: unknown[] = [];
  database.wakeAfterCommit((...call) => woken.push(call));
  afterEach(() => woken.splice(0));

  const accountId = newId('usr');
  const deleted = {
    event: 'note.deleted',
    accountId,
    data: {
      noteId: newId('note'),
      workspaceId: newId('ws'),
      title: 'Plan',
      userId: accountId,
      deletedAt: '2026-01-01T00:00:00.000Z',
    },
  } as const;
  const requestIds = () =>
    database.query('SELECT event, queue, request_id FROM outbox WHERE account_id = $1', [
      accountId,
    ]);

  test('carries the id of the request, and wakes its queues after the commit', async () => {
    await database.transaction({ requestId: 'req-7' }, async (tx) => {
      await tx.append(deleted);
      tx.afterCommit(() => woken.push('callback'));
      expect(woken).toEqual([]);
    });
    expect(woken).toEqual([[EVENTS_QUEUE, undefined], 'callback']);
    expect(await requestIds()).toEqual([
      { event: 'note.deleted', queue: EVENTS_QUEUE, request_id: 'req-7' },
    ]);
  });

  test('is gone with a rollback, which wakes nobody', async () => {
    const lost = database.transaction({ job: 'test' }, async (tx) => {
      await tx.append(deleted);
      tx.afterCommit(() => woken.push('callback'));
      throw new Error('rolled back');
    });
    await expect(lost).rejects.toThrow('rolled back');
    expect(woken).toEqual([]);
  });
});
