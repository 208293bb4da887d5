import type { Sql } from '@atrium/service-kit/database';
import type { Database } from '../../database.ts';

export interface Logout {
  /** The id of the grant, which the ID token of the login named. */
  sid: string;
  accountId: string;
  applicationId: string;
  /** Who has registered the application; the application itself when it is a part of Atrium. */
  owner: string;
  attempts: number;
}

const LEASE = `
  UPDATE oauth_logouts SET attempts = attempts + 1, due_at = $2
  WHERE sid IN (
    SELECT sid FROM oauth_logouts WHERE due_at <= $1 AND sid IN (
      SELECT sid FROM (
        SELECT sid, due_at, position, cardinality(array_positions($5::text[], owner))
          + row_number() OVER (PARTITION BY owner ORDER BY due_at, sid) AS turn
        FROM (
          SELECT sid, due_at, coalesce(applications.account_id, application_id) AS owner
          FROM oauth_logouts JOIN applications ON applications.id = application_id
          WHERE due_at <= $1
        ) AS due LEFT JOIN unnest($6::text[]) WITH ORDINALITY AS served (owner, position) USING (owner)
      ) AS waiting WHERE turn <= $4 ORDER BY turn, position NULLS FIRST, due_at LIMIT $3
    ) FOR UPDATE SKIP LOCKED
  )
  RETURNING sid, account_id AS "accountId", application_id AS "applicationId", attempts, (
    SELECT coalesce(applications.account_id, application_id) FROM applications
    WHERE applications.id = application_id
  ) AS owner`;

/**
 * Leases due logouts until `untilMs`, when other processes may take them: at most `perOwner` for the applications
 * of one owner, counting its entries in `busy`, and first those of the owners with the fewest. Of these, owners who
 * stand late in `served` wait for the others. Raw: Prisma has no SKIP LOCKED.
 */
export function leaseLogouts(
  sql: Sql,
  lease: {
    nowMs: number;
    untilMs: number;
    limit: number;
    perOwner: number;
    busy: string[];
    served: string[];
  },
): Promise<Logout[]> {
  const { nowMs, untilMs, limit, perOwner, busy, served } = lease;
  const values = [new Date(nowMs), new Date(untilMs), limit, perOwner, busy, served];
  return sql.query<Logout>(LEASE, values);
}

export async function postponeLogout(database: Database, sid: string, dueAt: Date): Promise<void> {
  await database.prisma.oauthLogout.updateMany({ where: { sid }, data: { dueAt } });
}

export async function deleteLogout(database: Database, sid: string): Promise<void> {
  await database.prisma.oauthLogout.deleteMany({ where: { sid } });
}
