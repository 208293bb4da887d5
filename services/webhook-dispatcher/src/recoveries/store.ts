import { idBound, newId } from '@atrium/contracts/ids';
import type { ListQuery } from '@atrium/contracts/lists';
import { MAX_ATTEMPTS_IN_ALL, MAX_DELIVERY_ATTEMPTS } from '@atrium/contracts/webhooks/deliveries';
import type { Recovery } from '@atrium/contracts/webhooks/recoveries';
import { decodeIdCursor, toPage } from '@atrium/service-kit/pagination';
import type { Database, Tx } from '../database.ts';
import type { Recovery as RecoveryRow } from '../generated/client.ts';

export type StartResult =
  | { kind: 'started'; recovery: Recovery }
  | { kind: 'noWebhook' | 'disabled' | 'running' };

export interface RecoveryStep {
  recoveryId: string;
  subscriptionId: string;
  accountId: string;
  /** Deliveries that this step has made due. */
  deliveryIds: string[];
}

export interface RecoveryStore {
  start(
    tx: Tx,
    subscriptionId: string,
    accountId: string,
    since: Date,
    now: Date,
  ): Promise<StartResult>;
  /** Undefined when the account has no such subscription. */
  list(
    subscriptionId: string,
    accountId: string,
    query: ListQuery,
  ): Promise<{ data: Recovery[]; nextCursor: string | null } | undefined>;
  find(id: string, subscriptionId: string, accountId: string): Promise<Recovery | undefined>;
  /**
   * Carries one running recovery a batch further; undefined when none is running. Takes the one
   * after `afterId`, so that a long one does not hold up the others.
   */
  advance(afterId: string, batchSize: number): Promise<RecoveryStep | undefined>;
}

// Raw: Prisma locks no rows. NO KEY holds up other recoveries of the subscription, but not the
// ingestion of its events.
const LOCK_SUBSCRIPTION = `
  SELECT enabled FROM subscriptions WHERE id = $1 AND account_id = $2 AND deleted_at IS NULL
  FOR NO KEY UPDATE`;

// Raw: SKIP LOCKED.
const CLAIM = `
  SELECT id, subscription_id AS "subscriptionId", cursor, created_at AS "createdAt",
    (SELECT account_id FROM subscriptions s WHERE s.id = subscription_id) AS "accountId"
  FROM recoveries WHERE completed_at IS NULL
  ORDER BY id <= $1, id LIMIT 1 FOR UPDATE SKIP LOCKED`;

// Raw: a CTE over a locked batch. Deliveries that have had all possible attempts stay as they are.
const RECOVER = `
  WITH batch AS MATERIALIZED (
    SELECT delivery_id FROM undelivered
    WHERE subscription_id = $1 AND delivery_id > $2 AND delivery_id < $3 AND due_at IS NULL
    ORDER BY delivery_id LIMIT $4::int FOR UPDATE
  ), recovered AS (
    UPDATE undelivered u SET due_at = now(),
      postponed_since = NULL, attempts_allowed = u.attempt_count + ${MAX_DELIVERY_ATTEMPTS}
    FROM batch b
    WHERE u.subscription_id = $1 AND u.delivery_id = b.delivery_id
      AND u.attempt_count <= ${MAX_ATTEMPTS_IN_ALL - MAX_DELIVERY_ATTEMPTS}
    RETURNING u.delivery_id
  )
  SELECT count(*)::int AS seen, max(delivery_id) AS last,
    ARRAY (SELECT delivery_id FROM recovered) AS "deliveryIds"
  FROM batch`;

type ClaimedRecovery = Pick<RecoveryRow, 'id' | 'subscriptionId' | 'cursor' | 'createdAt'> & {
  accountId: string;
};

interface RecoveredBatch {
  seen: number;
  last: string | null;
  deliveryIds: string[];
}

export function createRecoveryStore(database: Database): RecoveryStore {
  async function isOwned(subscriptionId: string, accountId: string): Promise<boolean> {
    const where = { id: subscriptionId, accountId, deletedAt: null };
    return (await database.prisma.subscription.count({ where })) > 0;
  }

  return {
    async start(tx, subscriptionId, accountId, since, now) {
      const [subscription] = await tx.query<{ enabled: boolean }>(LOCK_SUBSCRIPTION, [
        subscriptionId,
        accountId,
      ]);
      if (subscription === undefined) return { kind: 'noWebhook' };
      if (!subscription.enabled) return { kind: 'disabled' };
      // A statement of its own, so that it sees what the lock waited for.
      const running = await tx.prisma.recovery.count({
        where: { subscriptionId, completedAt: null },
      });
      if (running > 0) return { kind: 'running' };
      const row = await tx.prisma.recovery.create({
        data: {
          id: newId('rcv', now.getTime()),
          subscriptionId,
          since,
          cursor: idBound('dlv', since.getTime()),
          createdAt: now,
        },
      });
      return { kind: 'started', recovery: toRecovery(row) };
    },

    async list(subscriptionId, accountId, { limit, cursor }) {
      const before = decodeIdCursor(cursor);
      if (!(await isOwned(subscriptionId, accountId))) return undefined;
      const rows = await database.prisma.recovery.findMany({
        where: { subscriptionId, ...(before === undefined ? {} : { id: { lt: before } }) },
        orderBy: { id: 'desc' },
        take: limit + 1,
      });
      return toPage(rows.map(toRecovery), limit, ({ id }) => [id]);
    },

    async find(id, subscriptionId, accountId) {
      if (!(await isOwned(subscriptionId, accountId))) return undefined;
      const row = await database.prisma.recovery.findFirst({ where: { id, subscriptionId } });
      return row === null ? undefined : toRecovery(row);
    },

    advance(afterId, batchSize) {
      return database.transaction(
        { job: 'recover' },
        async (tx): Promise<RecoveryStep | undefined> => {
          const [claimed] = await tx.query<ClaimedRecovery>(CLAIM, [afterId]);
          if (claimed === undefined) return undefined;
          const { id, subscriptionId, accountId, cursor, createdAt } = claimed;
          const end = idBound('dlv', createdAt.getTime() + 1);
          const [batch] = await tx.query<RecoveredBatch>(RECOVER, [
            subscriptionId,
            cursor,
            end,
            batchSize,
          ]);
          const { seen, last, deliveryIds } = batch ?? { seen: 0, last: null, deliveryIds: [] };
          await tx.prisma.recovery.update({
            where: { id },
            data: {
              cursor: last ?? cursor,
              recovered: { increment: deliveryIds.length },
              completedAt: seen < batchSize ? new Date() : null,
            },
          });
          return { recoveryId: id, subscriptionId, accountId, deliveryIds };
        },
      );
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
