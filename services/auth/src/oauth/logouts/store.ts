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
    SELECT sid FROM oauth_logouts WHERE due_at <= $1 ORDER BY due_at LIMIT $3 FOR UPDATE SKIP LOCKED
  )
  RETURNING sid, account_id AS "accountId", application_id AS "applicationId", attempts`;

/** Leases due logouts until `untilMs`, when other processes may take them. Raw: Prisma has no SKIP LOCKED. */
export function leaseLogouts(
  sql: Sql,
  { nowMs, untilMs, limit }: { nowMs: number; untilMs: number; limit: number },
): Promise<Logout[]> {
  return sql.query<Logout>(LEASE, [new Date(nowMs), new Date(untilMs), limit]);
}

export async function postponeLogout(database: Database, sid: string, dueAt: Date): Promise<void> {
  await database.prisma.oauthLogout.updateMany({ where: { sid }, data: { dueAt } });
}

export async function deleteLogout(database: Database, sid: string): Promise<void> {
  await database.prisma.oauthLogout.deleteMany({ where: { sid } });
}
