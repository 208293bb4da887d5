// Raw SQL: lower(email) and lower(username), which is what the unique indexes cover, are beyond Prisma.
import {
  OPERATOR_ACTIONS,
  type OperatorAccount,
  OperatorAction,
} from '@atrium/contracts/auth/operator';
import type { Sql } from '@atrium/service-kit/database';
import Value from 'typebox/value';
import type { Database } from '../database.ts';

type Moments = 'createdAt' | 'suspendedAt' | 'erasesAt';
type AccountRow = Omit<OperatorAccount, Moments> & {
  createdAt: Date;
  suspendedAt: Date | null;
  erasesAt: Date | null;
};

// $1 is the time by which sessions expire.
const SELECT = `
  SELECT a.id, a.name, a.username, a.email, a.email_verified_at IS NOT NULL AS "emailVerified", a.plan,
    EXISTS (SELECT 1 FROM totp_factors t WHERE t.account_id = a.id AND t.confirmed_at IS NOT NULL)
      OR EXISTS (SELECT 1 FROM passkeys p WHERE p.account_id = a.id) AS "secondFactor",
    (SELECT count(*)::int FROM sessions s
     WHERE s.account_id = a.id AND s.revoked_at IS NULL AND s.expires_at > $1) AS "activeSessions",
    a.created_at AS "createdAt", a.suspended_at AS "suspendedAt", a.deletion_due_at AS "erasesAt"
  FROM accounts a`;

export async function findOperatorAccount(
  sql: Sql,
  { id, nowMs }: { id: string; nowMs: number },
): Promise<OperatorAccount | undefined> {
  const [row] = await sql.query<AccountRow>(`${SELECT} WHERE a.id = $2`, [new Date(nowMs), id]);
  return row && represent(row);
}

/** Accounts with this id, or whose username or address begins so; the newest first, before `beforeId`. */
export async function listOperatorAccounts(
  sql: Sql,
  page: { query: string; beforeId: string | null; limit: number; nowMs: number },
): Promise<OperatorAccount[]> {
  const { query, beforeId, limit, nowMs } = page;
  const prefix = `${query.toLowerCase().replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
  const rows = await sql.query<AccountRow>(
    `${SELECT}
     WHERE ($2 = '%' OR a.id = $3 OR lower(a.username) LIKE $2 OR lower(a.email) LIKE $2)
       AND ($4::text IS NULL OR a.id < $4) ORDER BY a.id DESC LIMIT $5`,
    [new Date(nowMs), prefix, query, beforeId, limit],
  );
  return rows.map(represent);
}

/** What operators did to an account, the newest first, before the action `beforeId`. */
export async function listOperatorActions(
  database: Database,
  page: { accountId: string; beforeId: string | null; limit: number },
): Promise<OperatorAction[]> {
  const { accountId, beforeId, limit } = page;
  const rows = await database.prisma.auditEvent.findMany({
    where: {
      accountId,
      kind: { in: [...OPERATOR_ACTIONS] },
      ...(beforeId === null ? {} : { id: { lt: beforeId } }),
    },
    orderBy: { id: 'desc' },
    take: limit,
    select: {
      id: true,
      kind: true,
      data: true,
      createdAt: true,
      operator: { select: { username: true } },
    },
  });
  return rows.map(({ data, operator, createdAt, ...row }) =>
    Value.Parse(OperatorAction, {
      plan: null,
      ...Object(data),
      ...row,
      operator: operator?.username ?? null,
      createdAt: createdAt.toISOString(),
    }),
  );
}

function represent({ createdAt, suspendedAt, erasesAt, ...row }: AccountRow): OperatorAccount {
  return {
    ...row,
    createdAt: createdAt.toISOString(),
    suspendedAt: suspendedAt?.toISOString() ?? null,
    erasesAt: erasesAt?.toISOString() ?? null,
  };
}
