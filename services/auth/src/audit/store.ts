import { AuditData, type AuditEvent } from '@atrium/contracts/audit';
import { newId } from '@atrium/contracts/ids';
import type { Sql } from '@atrium/service-kit/database';
import Value from 'typebox/value';
import type { AuditEntry } from './entry.ts';

/** @returns the event's id */
export async function appendAuditEvent(sql: Sql, entry: AuditEntry): Promise<string> {
  const id = newId('aud', entry.nowMs);
  const { origin } = entry;
  await sql.query(
    `INSERT INTO audit_events
       (id, account_id, kind, session_id, ip_address, device, request_id, data, created_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8::jsonb, $9)`,
    [
      id,
      entry.accountId,
      entry.kind,
      entry.sessionId ?? null,
      origin?.ipAddress ?? null,
      origin?.device ?? null,
      origin?.requestId ?? null,
      JSON.stringify(entry.data ?? {}),
      new Date(entry.nowMs),
    ],
  );
  return id;
}

interface AuditRow extends Omit<AuditEvent, 'data' | 'createdAt'> {
  data: unknown;
  createdAt: Date;
}

/** An account's events, newest first, from before the event `beforeId`. */
export async function listAuditEvents(
  sql: Sql,
  page: { accountId: string; beforeId: string | null; limit: number },
): Promise<AuditEvent[]> {
  const rows = await sql.query<AuditRow>(
    `SELECT id, kind, session_id AS "sessionId", ip_address AS "ipAddress", device,
            request_id AS "requestId", data, created_at AS "createdAt"
     FROM audit_events
     WHERE account_id = $1 AND ($2::text IS NULL OR id < $2)
     ORDER BY id DESC LIMIT $3`,
    [page.accountId, page.beforeId, page.limit],
  );
  return rows.map((row) => ({
    ...row,
    data: Value.Parse(AuditData, row.data),
    createdAt: row.createdAt.toISOString(),
  }));
}

export async function findAccountByEmail(sql: Sql, email: string): Promise<string | undefined> {
  const [found] = await sql.query<{ id: string }>(
    'SELECT id FROM accounts WHERE lower(email) = lower($1)',
    [email],
  );
  return found?.id;
}

/** Deletes events older than `before`, at most `limit`. @returns how many went */
export async function purgeAuditEvents(
  sql: Sql,
  { before, limit }: { before: Date; limit: number },
): Promise<number> {
  const rows = await sql.query(
    `DELETE FROM audit_events WHERE id IN (
       SELECT id FROM audit_events WHERE created_at < $1
       ORDER BY created_at LIMIT $2 FOR UPDATE SKIP LOCKED
     ) RETURNING 1`,
    [before, limit],
  );
  return rows.length;
}
