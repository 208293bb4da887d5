import { createHash } from 'node:crypto';
import { DATA_SERVICES, type ExportPartData } from '@atrium/contracts/account-messages';
import type { Sql } from '@atrium/service-kit/database';

const hashOf = (token: string) => createHash('sha256').update(token).digest();

/** Whether an export of the account that was asked for since then is still being made. */
export async function hasRunningExport(sql: Sql, accountId: string, since: Date): Promise<boolean> {
  const rows = await sql.query(
    `SELECT 1 FROM account_exports
     WHERE account_id = $1 AND ready_at IS NULL AND requested_at > $2 LIMIT 1`,
    [accountId, since],
  );
  return rows.length > 0;
}

export async function insertExport(
  tx: Sql,
  { id, accountId, now, expiresAt }: { id: string; accountId: string; now: Date; expiresAt: Date },
): Promise<void> {
  await tx.query(
    `INSERT INTO account_exports (id, account_id, requested_at, expires_at)
     VALUES ($1, $2, $3, $4)`,
    [id, accountId, now, expiresAt],
  );
}

/** Locks an export that is still being made; false when parts of it are of no use any more. */
export async function lockRunningExport(
  tx: Sql,
  { exportId, accountId }: { exportId: string; accountId: string },
): Promise<boolean> {
  const rows = await tx.query(
    `SELECT 1 FROM account_exports WHERE id = $1 AND account_id = $2 AND ready_at IS NULL
     FOR UPDATE`,
    [exportId, accountId],
  );
  return rows.length === 1;
}

/** Stores a part, and notes that its service is finished once one of its runs is whole. */
export async function insertPart(
  tx: Sql,
  { exportId, service, run, number, isLast }: Omit<ExportPartData, 'text'>,
  content: string,
): Promise<void> {
  await tx.query(
    `INSERT INTO account_export_parts (export_id, service, run, number, is_last, content)
     VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING`,
    [exportId, service, run, number, isLast, content],
  );
  await tx.query(
    `INSERT INTO account_export_services (export_id, service, run)
     SELECT export_id, service, run FROM account_export_parts p
     WHERE export_id = $1 AND service = $2 AND run = $3 AND is_last AND number + 1 = (
       SELECT count(*) FROM account_export_parts a
       WHERE a.export_id = p.export_id AND a.service = p.service AND a.run = p.run
     )
     ON CONFLICT DO NOTHING`,
    [exportId, service, run],
  );
}

export async function isComplete(tx: Sql, exportId: string): Promise<boolean> {
  const [row] = await tx.query<{ services: number }>(
    'SELECT count(*)::int AS services FROM account_export_services WHERE export_id = $1',
    [exportId],
  );
  return row?.services === DATA_SERVICES.length;
}

export async function markReady(
  tx: Sql,
  {
    exportId,
    token,
    now,
    expiresAt,
  }: { exportId: string; token: string; now: Date; expiresAt: Date },
): Promise<void> {
  await tx.query(
    `UPDATE account_exports SET ready_at = $2, expires_at = $3, token_hash = $4 WHERE id = $1`,
    [exportId, now, expiresAt, hashOf(token)],
  );
}

export interface ReadyExport {
  id: string;
  requestedAt: Date;
}

/** An export of this account that its token opens. */
export async function findReady(
  sql: Sql,
  { accountId, token, now }: { accountId: string; token: string; now: Date },
): Promise<ReadyExport | undefined> {
  const [found] = await sql.query<ReadyExport>(
    `SELECT id, requested_at AS "requestedAt" FROM account_exports
     WHERE token_hash = $1 AND account_id = $2 AND expires_at > $3`,
    [hashOf(token), accountId, now],
  );
  return found;
}

export interface StoredPart {
  run: string;
  number: number;
  content: string;
}

/** Parts of a service's whole run from this number on, in order. */
export function listParts(
  sql: Sql,
  part: { exportId: string; service: string; from: number; limit: number },
): Promise<StoredPart[]> {
  return sql.query<StoredPart>(
    `SELECT p.run, p.number, p.content
     FROM account_export_services s
     JOIN account_export_parts p
       ON p.export_id = s.export_id AND p.service = s.service AND p.run = s.run
     WHERE s.export_id = $1 AND s.service = $2 AND p.number >= $3 ORDER BY p.number LIMIT $4`,
    [part.exportId, part.service, part.from, part.limit],
  );
}

/** Deletes parts of exports that have expired, finished or not. @returns how many went */
export async function purgeExportParts(sql: Sql, now: Date, limit: number): Promise<number> {
  const rows = await sql.query(
    `DELETE FROM account_export_parts WHERE (export_id, service, run, number) IN (
       SELECT p.export_id, p.service, p.run, p.number
       FROM account_exports e JOIN account_export_parts p ON p.export_id = e.id
       WHERE e.expires_at <= $1 LIMIT $2 FOR UPDATE OF p SKIP LOCKED
     ) RETURNING 1`,
    [now, limit],
  );
  return rows.length;
}

/** To be called after `purgeExportParts` has found no more. @returns how many went */
export async function purgeExports(sql: Sql, now: Date, limit: number): Promise<number> {
  const rows = await sql.query(
    `DELETE FROM account_exports WHERE id IN (
       SELECT id FROM account_exports WHERE expires_at <= $1 LIMIT $2 FOR UPDATE SKIP LOCKED
     ) RETURNING 1`,
    [now, limit],
  );
  return rows.length;
}
