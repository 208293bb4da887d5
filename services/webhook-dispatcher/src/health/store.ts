import { WAITING_COUNTED_MAX } from '@atrium/contracts/webhooks/health';
import type { Sql } from '@atrium/service-kit/database';
import type { Owner } from '../subscriptions/owner.ts';

export interface HealthRow {
  id: string;
  waiting: number;
  status: number | null;
  error: string | null;
  attemptedAt: Date | null;
}

/** Deliveries among whose attempts the last one is looked for. */
const RECENT_MAX = 50;

// Raw: bounded reads of each subscription, all of them look-ups by index.
const READ = `
  SELECT s.id, a.status, a.error, a.started_at AS "attemptedAt",
    (SELECT count(*)::int FROM (
      SELECT FROM undelivered u WHERE u.subscription_id = s.id AND u.due_at IS NOT NULL
      LIMIT ${WAITING_COUNTED_MAX}
    ) counted) AS waiting
  FROM subscriptions s LEFT JOIN LATERAL (
    SELECT a.status, a.error, a.started_at FROM (
      SELECT id FROM deliveries WHERE subscription_id = s.id ORDER BY id DESC LIMIT ${RECENT_MAX}
    ) d CROSS JOIN LATERAL (
      SELECT * FROM attempts WHERE delivery_id = d.id ORDER BY number DESC LIMIT 1
    ) a
    ORDER BY a.started_at DESC LIMIT 1
  ) a ON true
  WHERE s.account_id = $1 AND s.deleted_at IS NULL AND ($2::text IS NULL OR s.namespace = $2)`;

/** Reads the health of all subscriptions of an owner, which are as many as the plan allows at most. */
export function readHealth(sql: Sql, { accountId, namespace }: Owner): Promise<HealthRow[]> {
  return sql.query<HealthRow>(READ, [accountId, namespace]);
}

/** `nothing`: none waits. */
export type TryNowResult =
  | { kind: 'due'; deliveryId: string }
  | { kind: 'missing' | 'disabled' | 'paused' | 'nothing' };

/** Retries that become due with one request; what else waits follows by its own schedule. */
const MADE_DUE_MAX = 1_000;

const FIND = `
  SELECT enabled, paused FROM subscriptions
  WHERE id = $1 AND account_id = $2 AND deleted_at IS NULL`;

// Rounded down as the column has milliseconds: rounded up, it would not be due yet.
const MAKE_DUE = `
  UPDATE undelivered u SET due_at = date_trunc('milliseconds', now()) FROM (
    SELECT ctid AS row_id FROM undelivered WHERE subscription_id = $1 AND due_at > now()
    ORDER BY due_at LIMIT ${MADE_DUE_MAX} FOR UPDATE SKIP LOCKED
  ) waiting
  WHERE u.ctid = waiting.row_id`;

const FIRST = `
  SELECT delivery_id AS "deliveryId" FROM undelivered
  WHERE subscription_id = $1 AND due_at <= now() ORDER BY due_at LIMIT 1`;

/** Makes what waits for another attempt due now. @returns the delivery to be sent first */
export async function makeDueNow(
  tx: Sql,
  subscriptionId: string,
  accountId: string,
): Promise<TryNowResult> {
  const [found] = await tx.query<{ enabled: boolean; paused: boolean }>(FIND, [
    subscriptionId,
    accountId,
  ]);
  if (found === undefined) return { kind: 'missing' };
  if (!found.enabled) return { kind: 'disabled' };
  if (found.paused) return { kind: 'paused' };
  await tx.query(MAKE_DUE, [subscriptionId]);
  const [first] = await tx.query<{ deliveryId: string }>(FIRST, [subscriptionId]);
  return first === undefined ? { kind: 'nothing' } : { kind: 'due', ...first };
}
