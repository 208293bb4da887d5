import { idBound, newId } from '@atrium/contracts/ids';
import type { ListQuery } from '@atrium/contracts/lists';
import { MAX_ATTEMPTS_IN_ALL, MAX_DELIVERY_ATTEMPTS } from '@atrium/contracts/deliveries';
import { type Recovery } from '@atrium/contracts/recoveries';
import type { Database } from '@atrium/service-kit/database';
import { decodeCursor, toPage } from '@atrium/service-kit/pagination';

export type StartResult =
  | { kind: 'started'; recovery: Recovery }
  | { kind: 'noWebhook' | 'disabled' | 'running' };

export interface Step {
  recoveryId: string;
  subscriptionId: string;
  /** Deliveries that this step has made due. */
  recovered: number;
}

export interface RecoveryStore {
  start(subscriptionId: string, accountId: string, since: Date, now: Date): Promise<StartResult>;
  /** Undefined when the account has no such subscription. */
  list(
    subscriptionId: string,
    accountId: string,
    query: ListQuery,
  ): Promise<{ data: Recovery[]; nextCursor: string | null } | undefined>;
  find(id: string, subscriptionId: string, accountId: string): Promise<Recovery | undefined>;
  /**
   * Carries a running recovery that no other worker holds one batch further; undefined when there is
   * none. The one after `afterId` has its turn, so that a long one does not hold up the others.
   */
  advance(afterId: string, batchSize: number): Promise<Step | undefined>;
}

const COLUMNS = `r.id, r.since, r.recovered, r.created_at AS "createdAt",
  r.completed_at AS "completedAt"`;

// NO KEY: holds up other recoveries of the subscription, but not the intake of its events.
const LOCK_SUBSCRIPTION = `
  SELECT enabled FROM subscriptions WHERE id = $1 AND account_id = $2 AND deleted_at IS NULL
  FOR NO KEY UPDATE`;

// A statement of its own: it sees what the lock waited for.
const RUNNING = 'SELECT 1 FROM recoveries WHERE subscription_id = $1 AND completed_at IS NULL';

const START = `
  INSERT INTO recoveries AS r (id, subscription_id, since, cursor, created_at)
  VALUES ($1, $2, $3, $4, $5) RETURNING ${COLUMNS}`;

const OWNED = `
  FROM recoveries r JOIN subscriptions s ON s.id = r.subscription_id
  WHERE r.subscription_id = $1 AND s.account_id = $2 AND s.deleted_at IS NULL`;

const CLAIM = `
  SELECT id, subscription_id AS "subscriptionId", cursor, created_at AS "createdAt"
  FROM recoveries WHERE completed_at IS NULL
  ORDER BY id <= $1, id LIMIT 1 FOR UPDATE SKIP LOCKED`;

// Deliveries that have had all attempts there are stay as they are.
const RECOVER = `
  WITH batch AS MATERIALIZED (
    SELECT delivery_id FROM undelivered
    WHERE subscription_id = $1 AND delivery_id > $2 AND delivery_id < $3 AND due_at IS NULL
    ORDER BY delivery_id LIMIT $4::int FOR UPDATE
  ), recovered AS (
    UPDATE undelivered u SET due_at = now(),
      attempts_allowed = u.attempt_count + ${MAX_DELIVERY_ATTEMPTS}
    FROM batch b
    WHERE u.subscription_id = $1 AND u.delivery_id = b.delivery_id
      AND u.attempt_count <= ${MAX_ATTEMPTS_IN_ALL - MAX_DELIVERY_ATTEMPTS}
    RETURNING 1
  )
  SELECT count(*)::int AS seen, max(delivery_id) AS last,
    (SELECT count(*)::int FROM recovered) AS recovered
  FROM batch`;

const PROGRESS = `
  UPDATE recoveries SET cursor = coalesce($2, cursor), recovered = recovered + $3::int,
    completed_at = CASE WHEN $4 THEN now() END
  WHERE id = $1`;

interface RecoveryRow {
  id: string;
  since: Date;
  recovered: number;
  createdAt: Date;
  completedAt: Date | null;
}

export function createRecoveryStore(database: Database): RecoveryStore {
  return {
    start(subscriptionId, accountId, since, now) {
      return database.transaction(async (tx) => {
        const [subscription] = await tx.query<{ enabled: boolean }>(LOCK_SUBSCRIPTION, [
          subscriptionId,
          accountId,
        ]);
        if (subscription === undefined) return { kind: 'noWebhook' };
        if (!subscription.enabled) return { kind: 'disabled' };
        if ((await tx.query(RUNNING, [subscriptionId])).length > 0) return { kind: 'running' };
        const [row] = await tx.query<RecoveryRow>(START, [
          newId('rcv', now.getTime()),
          subscriptionId,
          since,
          idBound('dlv', since.getTime()),
          now,
        ]);
        return row === undefined
          ? { kind: 'noWebhook' }
          : { kind: 'started', recovery: toRecovery(row) };
      });
    },

    async list(subscriptionId, accountId, { limit, cursor }) {
      const before = cursor === undefined ? null : String(decodeCursor(cursor, 1)[0]);
      const owned = await database.query(
        'SELECT 1 FROM subscriptions WHERE id = $1 AND account_id = $2 AND deleted_at IS NULL',
        [subscriptionId, accountId],
      );
      if (owned.length === 0) return undefined;
      const rows = await database.query<RecoveryRow>(
        `SELECT ${COLUMNS} ${OWNED} AND ($3::text IS NULL OR r.id < $3)
         ORDER BY r.id DESC LIMIT $4::int`,
        [subscriptionId, accountId, before, limit + 1],
      );
      return toPage(rows.map(toRecovery), limit, ({ id }) => [id]);
    },

    async find(id, subscriptionId, accountId) {
      const [row] = await database.query<RecoveryRow>(`SELECT ${COLUMNS} ${OWNED} AND r.id = $3`, [
        subscriptionId,
        accountId,
        id,
      ]);
      return row && toRecovery(row);
    },

    advance(afterId, batchSize) {
      return database.transaction(async (tx) => {
        const [claimed] = await tx.query<{
          id: string;
          subscriptionId: string;
          cursor: string;
          createdAt: Date;
        }>(CLAIM, [afterId]);
        if (claimed === undefined) return undefined;
        const [batch] = await tx.query<{ seen: number; last: string | null; recovered: number }>(
          RECOVER,
          [
            claimed.subscriptionId,
            claimed.cursor,
            idBound('dlv', claimed.createdAt.getTime() + 1),
            batchSize,
          ],
        );
        const { seen, last, recovered } = batch ?? { seen: 0, last: null, recovered: 0 };
        await tx.query(PROGRESS, [claimed.id, last, recovered, seen < batchSize]);
        return { recoveryId: claimed.id, subscriptionId: claimed.subscriptionId, recovered };
      });
    },
  };
}

function toRecovery(row: RecoveryRow): Recovery {
  return {
    id: row.id,
    since: row.since.toISOString(),
    recovered: row.recovered,
    createdAt: row.createdAt.toISOString(),
    completedAt: row.completedAt?.toISOString() ?? null,
  };
}
