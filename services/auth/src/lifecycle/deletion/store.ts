import { Language } from '@atrium/contracts/auth/profile';
import type { Sql } from '@atrium/service-kit/database';
import Value from 'typebox/value';
import type { Database, Tx } from '../../database.ts';
import { deleteGrantsInBatches } from '../../oauth/applications/store.ts';
import type { Recipient } from '../../email/templates/content.ts';

/** Schedules the erasure, unless it is scheduled earlier. @returns when the account is erased */
export async function scheduleDeletion(tx: Sql, accountId: string, dueAt: Date): Promise<Date> {
  // Raw: Prisma has no least(), which two parallel requests need.
  const [row] = await tx.query<{ dueAt: Date }>(
    `UPDATE accounts SET deletion_due_at = least(deletion_due_at, $2) WHERE id = $1
     RETURNING deletion_due_at AS "dueAt"`,
    [accountId, dueAt],
  );
  return row?.dueAt ?? dueAt;
}

/** False when no deletion is scheduled, or it is due already. */
export async function cancelDeletion(tx: Tx, accountId: string, now: Date): Promise<boolean> {
  const { count } = await tx.prisma.account.updateMany({
    where: { id: accountId, deletionDueAt: { gt: now } },
    data: { deletionDueAt: null },
  });
  return count === 1;
}

export async function findDeletion(database: Database, accountId: string): Promise<Date | null> {
  const account = await database.prisma.account.findUnique({
    where: { id: accountId },
    select: { deletionDueAt: true },
  });
  return account?.deletionDueAt ?? null;
}

export async function listDue(database: Database, now: Date, limit: number): Promise<string[]> {
  const accounts = await database.prisma.account.findMany({
    where: { deletionDueAt: { lte: now } },
    orderBy: { deletionDueAt: 'asc' },
    take: limit,
    select: { id: true },
  });
  return accounts.map(({ id }) => id);
}

/** Locks a due account; false when it is no longer due or another process has locked it. */
export async function lockDue(sql: Sql, accountId: string, now: Date): Promise<boolean> {
  // Raw: Prisma has no row locks.
  const rows = await sql.query(
    'SELECT 1 FROM accounts WHERE id = $1 AND deletion_due_at <= $2 FOR UPDATE SKIP LOCKED',
    [accountId, now],
  );
  return rows.length === 1;
}

/** From now on the deletion cannot be cancelled, even where the clock is behind. */
export async function beginErasure(tx: Tx, accountId: string): Promise<void> {
  await tx.prisma.account.update({
    where: { id: accountId },
    data: { deletionDueAt: new Date(0) },
  });
}

/** Deletes the rows of which an account may have very many. The others go with the account's row. */
export async function deleteInBatches(
  database: Database,
  accountId: string,
  limit: number,
): Promise<void> {
  await deleteGrantsInBatches(database, { accountId }, limit);
  await deleteGrantsInBatches(database, { application: { accountId } }, limit);
  const revoked = { accountId, revokedAt: { not: null } };
  const batches = [
    () => database.prisma.oauthRecord.deleteMany({ where: { accountId }, limit }),
    () => database.prisma.refreshToken.deleteMany({ where: { session: revoked }, limit }),
    () => database.prisma.session.deleteMany({ where: revoked, limit }),
    () => database.prisma.auditEvent.deleteMany({ where: { accountId }, limit }),
    () => database.prisma.accountDevice.deleteMany({ where: { accountId }, limit }),
    () => database.prisma.accountExportPart.deleteMany({ where: { export: { accountId } }, limit }),
  ];
  for (const deleteBatch of batches) {
    while ((await deleteBatch()).count === limit);
  }
}

/** @returns how to notify the former owner */
export async function deleteAccount(tx: Tx, id: string): Promise<Recipient> {
  const { email, name, language, emailVerifiedAt } = await tx.prisma.account.delete({
    where: { id },
    select: { email: true, name: true, language: true, emailVerifiedAt: true },
  });
  // As in `recipientColumns`.
  const greeting = emailVerifiedAt === null ? '' : name;
  return { email, name: greeting, language: Value.Parse(Language, language) };
}
