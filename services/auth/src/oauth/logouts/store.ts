import type { Sql } from '@atrium/service-kit/database';
import type { Database } from '../../database.ts';

export interface Logout {
  /** The id of the grant, which the ID token of the login named. */
  sid: string;
  accountId: string;
  applicationId: string;
  attempts: number;
}

const LEASE = `
  UPDATE oauth_logouts SET attempts = attempts + 1, due_at = $2
  WHERE sid IN (
    SELECT sid FROM oauth_logouts WHERE due_at <= $1 AND sid IN (
      SELECT sid FROM (
        SELECT sid, due_at,
          row_number() OVER (PARTITION BY application_id ORDER BY due_at, sid) AS position
        FROM oauth_logouts WHERE due_at <= $1
      ) AS due WHERE position <= $4 ORDER BY due_at LIMIT $3
    ) FOR UPDATE SKIP LOCKED
  )
  RETURNING sid, account_id AS "accountId", application_id AS "applicationId", attempts`;

/**
 * Leases due logouts until `untilMs`, when other processes may take them, of each application at most
 * `perApplication`. Raw: Prisma has no SKIP LOCKED.
 */
export function leaseLogouts(
  sql: Sql,
  lease: { nowMs: number; untilMs: number; limit: number; perApplication: number },
): Promise<Logout[]> {
  const { nowMs, untilMs, limit, perApplication } = lease;
  return sql.query<Logout>(LEASE, [new Date(nowMs), new Date(untilMs), limit, perApplication]);
}

export async function postponeLogout(database: Database, sid: string, dueAt: Date): Promise<void> {
  await database.prisma.oauthLogout.updateMany({ where: { sid }, data: { dueAt } });
}

export async function deleteLogout(database: Database, sid: string): Promise<void> {
  await database.prisma.oauthLogout.deleteMany({ where: { sid } });
}
