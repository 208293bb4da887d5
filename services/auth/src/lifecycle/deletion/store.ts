import type { Sql } from '@atrium/service-kit/database';
import { greetedName } from '../../email/outbox/name-store.ts';

/** Schedules the erasure; answers when it will be, which is earlier if it was scheduled before. */
export async function scheduleDeletion(tx: Sql, accountId: string, dueAt: Date): Promise<Date> {
  const [row] = await tx.query<{ dueAt: Date }>(
    `UPDATE accounts SET deletion_due_at = least(deletion_due_at, $2) WHERE id = $1
     RETURNING deletion_due_at AS "dueAt"`,
    [accountId, dueAt],
  );
  return row?.dueAt ?? dueAt;
}

/** False when there was nothing to cancel, or it is too late. */
export async function cancelDeletion(sql: Sql, accountId: string, now: Date): Promise<boolean> {
  const rows = await sql.query(
    `UPDATE accounts SET deletion_due_at = NULL
     WHERE id = $1 AND deletion_due_at > $2 RETURNING 1`,
    [accountId, now],
  );
  return rows.length === 1;
}

export async function findDeletion(sql: Sql, accountId: string): Promise<Date | null> {
  const [row] = await sql.query<{ dueAt: Date | null }>(
    'SELECT deletion_due_at AS "dueAt" FROM accounts WHERE id = $1',
    [accountId],
  );
  return row?.dueAt ?? null;
}

export async function listDue(sql: Sql, now: Date, limit: number): Promise<string[]> {
  const rows = await sql.query<{ id: string }>(
    'SELECT id FROM accounts WHERE deletion_due_at <= $1 ORDER BY deletion_due_at LIMIT $2',
    [now, limit],
  );
  return rows.map(({ id }) => id);
}

/** From here on nobody can restore it, whatever the time is at another process. */
export async function beginErasure(tx: Sql, accountId: string): Promise<void> {
  await tx.query('UPDATE accounts SET deletion_due_at = to_timestamp(0) WHERE id = $1', [
    accountId,
  ]);
}

/** Locks an account that is due; false when it is not any more, or another process has it. */
export async function lockDue(tx: Sql, accountId: string, now: Date): Promise<boolean> {
  const rows = await tx.query(
    `SELECT 1 FROM accounts WHERE id = $1 AND deletion_due_at <= $2 FOR UPDATE SKIP LOCKED`,
    [accountId, now],
  );
  return rows.length === 1;
}

/** The rows that an account may have very many of; what is left goes with the account's own row. */
export const ERASE_MANY = [
  `DELETE FROM refresh_tokens WHERE hash IN (
     SELECT t.hash FROM sessions s JOIN refresh_tokens t ON t.session_id = s.id
     WHERE s.account_id = $1 AND s.revoked_at IS NOT NULL LIMIT $2
   ) RETURNING 1`,
  `DELETE FROM sessions WHERE id IN (
     SELECT id FROM sessions WHERE account_id = $1 AND revoked_at IS NOT NULL LIMIT $2
   ) RETURNING 1`,
  `DELETE FROM audit_events WHERE id IN (
     SELECT id FROM audit_events WHERE account_id = $1 LIMIT $2
   ) RETURNING 1`,
  `DELETE FROM account_devices WHERE (account_id, fingerprint) IN (
     SELECT account_id, fingerprint FROM account_devices WHERE account_id = $1 LIMIT $2
   ) RETURNING 1`,
  `DELETE FROM account_export_parts WHERE (export_id, service, run, number) IN (
     SELECT p.export_id, p.service, p.run, p.number
     FROM account_exports e JOIN account_export_parts p ON p.export_id = e.id
     WHERE e.account_id = $1 LIMIT $2
   ) RETURNING 1`,
] as const;

/** Answers where its owner can still be told, and by what name; undefined when it was gone. */
export async function deleteAccount(
  tx: Sql,
  accountId: string,
): Promise<{ email: string; name: string } | undefined> {
  const [account] = await tx.query<{ email: string; name: string }>(
    `DELETE FROM accounts AS a WHERE a.id = $1 RETURNING a.email, ${greetedName('a')}`,
    [accountId],
  );
  return account;
}
