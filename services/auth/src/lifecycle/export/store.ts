import { DATA_SERVICES, type ExportPartData } from '@atrium/contracts/account-messages';
import type { Sql } from '@atrium/service-kit/database';
import type { Database, Tx } from '../../database.ts';
import { tokenHash } from '../../token-hash.ts';

/** Whether an export requested after `since` is still incomplete. */
export async function hasRunningExport(tx: Tx, accountId: string, since: Date): Promise<boolean> {
  const where = { accountId, readyAt: null, requestedAt: { gt: since } };
  return (await tx.prisma.accountExport.findFirst({ where, select: { id: true } })) !== null;
}

/** Ends the exports of the account; the purge deletes them. The caller holds the account's lock. */
export async function endExports(tx: Tx, accountId: string, now: Date): Promise<void> {
  await tx.prisma.accountExport.updateMany({
    where: { accountId, expiresAt: { gt: now } },
    data: { expiresAt: now },
  });
}

export async function insertExport(
  tx: Tx,
  data: { id: string; accountId: string; requestedAt: Date; expiresAt: Date },
): Promise<void> {
  await tx.prisma.accountExport.create({ data });
}

/** Locks an incomplete export; false when it is complete, ended or gone and needs no more parts. */
export async function lockRunningExport(
  sql: Sql,
  { exportId, accountId, now }: { exportId: string; accountId: string; now: Date },
): Promise<boolean> {
  // Raw: Prisma has no row locks.
  const rows = await sql.query(
    `SELECT 1 FROM account_exports WHERE id = $1 AND account_id = $2 AND ready_at IS NULL AND expires_at > $3
     FOR UPDATE`,
    [exportId, accountId, now],
  );
  return rows.length === 1;
}

/** Stores a part. Marks its service as complete once the service has one complete run. */
export async function insertPart(
  tx: Tx,
  { exportId, service, run, number, isLast }: Omit<ExportPartData, 'text'>,
  content: string,
): Promise<void> {
  const ofRun = { exportId, service, run };
  await tx.prisma.accountExportPart.createMany({
    data: [{ ...ofRun, number, isLast, content }],
    skipDuplicates: true,
  });
  const last = await tx.prisma.accountExportPart.findFirst({
    where: { ...ofRun, isLast: true },
    select: { number: true },
  });
  if (
    last !== null &&
    (await tx.prisma.accountExportPart.count({ where: ofRun })) === last.number + 1
  ) {
    await tx.prisma.accountExportService.createMany({ data: [ofRun], skipDuplicates: true });
  }
}

export async function isComplete(tx: Tx, exportId: string): Promise<boolean> {
  const services = await tx.prisma.accountExportService.count({ where: { exportId } });
  return services === DATA_SERVICES.length;
}

export async function markReady(
  tx: Tx,
  ready: { exportId: string; token: string; readyAt: Date; expiresAt: Date },
): Promise<void> {
  const { exportId, token, readyAt, expiresAt } = ready;
  await tx.prisma.accountExport.update({
    where: { id: exportId },
    data: { readyAt, expiresAt, tokenHash: tokenHash(token) },
  });
}

export interface ReadyExport {
  id: string;
  requestedAt: Date;
}

/** The export of this account that the token opens. */
export function findReady(
  database: Database,
  { accountId, token, now }: { accountId: string; token: string; now: Date },
): Promise<ReadyExport | null> {
  return database.prisma.accountExport.findUnique({
    where: { tokenHash: tokenHash(token), accountId, expiresAt: { gt: now } },
    select: { id: true, requestedAt: true },
  });
}

export interface NewestExport {
  requestedAt: Date;
  readyAt: Date | null;
  expiresAt: Date;
  servicesReady: number;
}

/** The newest export of the account that has not expired. */
export async function findNewest(
  database: Database,
  { accountId, now }: { accountId: string; now: Date },
): Promise<NewestExport | null> {
  const found = await database.prisma.accountExport.findFirst({
    where: { accountId, expiresAt: { gt: now } },
    orderBy: { id: 'desc' },
    select: {
      requestedAt: true,
      readyAt: true,
      expiresAt: true,
      _count: { select: { services: true } },
    },
  });
  if (found === null) return null;
  const { _count: count, ...newest } = found;
  return { ...newest, servicesReady: count.services };
}

/** The run of a service that is complete. */
export async function findCompleteRun(
  database: Database,
  exportId: string,
  service: string,
): Promise<string | undefined> {
  const found = await database.prisma.accountExportService.findUnique({
    where: { exportId_service: { exportId, service } },
  });
  return found?.run;
}

export interface StoredPart {
  number: number;
  isLast: boolean;
  content: string;
}

/** Parts of a run from this number on, in order. */
export function listParts(
  database: Database,
  {
    from,
    limit,
    ...run
  }: { exportId: string; service: string; run: string } & {
    from: number;
    limit: number;
  },
): Promise<StoredPart[]> {
  return database.prisma.accountExportPart.findMany({
    where: { ...run, number: { gte: from } },
    orderBy: { number: 'asc' },
    take: limit,
    select: { number: true, isLast: true, content: true },
  });
}

/** Deletes parts of expired exports, complete or not. @returns how many were deleted */
export async function purgeExportParts(
  database: Database,
  now: Date,
  limit: number,
): Promise<number> {
  const where = { export: { expiresAt: { lte: now } } };
  const { count } = await database.prisma.accountExportPart.deleteMany({ where, limit });
  return count;
}

/** Call when `purgeExportParts` finds no more. @returns how many were deleted */
export async function purgeExports(database: Database, now: Date, limit: number): Promise<number> {
  const where = { expiresAt: { lte: now } };
  const { count } = await database.prisma.accountExport.deleteMany({ where, limit });
  return count;
}
