// Why it is so: docs/decisions/0001-deliveries-wait-in-postgres.md
import { randomUUID } from 'node:crypto';
import { LISTENER_LEASE_SECONDS } from '@atrium/contracts/webhooks/listeners';
import type { Sql } from '@atrium/service-kit/database';
import type { SigningEndpoint } from '../sending/deliver.ts';

/** A delivery that a listener is to forward, and how it is signed. */
export interface FetchedDelivery {
  id: string;
  leaseId: string;
  subscriptionId: string;
  event: string;
  body: string;
  attemptCount: number;
  endpoint: SigningEndpoint;
}

export interface HeldLease {
  subscriptionId: string;
  attemptCount: number;
  attemptsAllowed: number;
}

export interface ListenerStore {
  /** Leases what is due; undefined when the account has no such listener. */
  lease(
    id: string,
    accountId: string,
  ): Promise<{ deliveries: FetchedDelivery[]; nextDueAt: Date | null } | undefined>;
  /** What a lease is about; undefined when it is no longer the newest one. */
  findLease(deliveryId: string, leaseId: string, accountId: string): Promise<HeldLease | undefined>;
}

/** So that they are forwarded well within the lease. */
const LEASED_MAX = 10;

// All SQL here is raw: times by the clock of Postgres, and SKIP LOCKED.

// It also holds off the expiry of the listener.
const TOUCH = `
  UPDATE subscriptions SET listened_at = now()
  WHERE id = $1 AND account_id = $2 AND deleted_at IS NULL AND enabled AND listened_at IS NOT NULL
  RETURNING sealed_secret AS "sealedSecret",
    CASE WHEN previous_secret_until > now() THEN previous_sealed_secret END
      AS "previousSealedSecret",
    coalesce(service_signature_switch_at > now(), false) AS "signsWithPrevious"`;

const LEASE = `
  WITH due AS MATERIALIZED (
    SELECT u.delivery_id FROM undelivered u
    WHERE u.subscription_id = $1 AND u.due_at <= now()
      AND (u.leased_until IS NULL OR u.leased_until < now())
    ORDER BY u.due_at LIMIT ${LEASED_MAX} FOR UPDATE SKIP LOCKED
  ), leased AS (
    UPDATE undelivered u
    SET lease_id = $2::uuid, leased_until = now() + interval '${LISTENER_LEASE_SECONDS} seconds'
    FROM due WHERE u.subscription_id = $1 AND u.delivery_id = due.delivery_id
    RETURNING u.delivery_id, u.event_id, u.attempt_count
  )
  SELECT l.delivery_id AS id, e.event, e.body, l.attempt_count AS "attemptCount"
  FROM leased l JOIN events e ON e.id = l.event_id ORDER BY l.delivery_id`;

const NEXT_DUE = `
  SELECT min(greatest(due_at, leased_until)) AS at FROM (
    SELECT due_at, leased_until FROM undelivered
    WHERE subscription_id = $1 AND due_at IS NOT NULL ORDER BY due_at LIMIT 1000) waiting`;

const FIND_LEASE = `
  SELECT u.subscription_id AS "subscriptionId", u.attempt_count AS "attemptCount",
    u.attempts_allowed AS "attemptsAllowed"
  FROM deliveries d
  JOIN subscriptions s ON s.id = d.subscription_id AND s.account_id = $3 AND s.deleted_at IS NULL
    AND s.listened_at IS NOT NULL
  JOIN undelivered u ON u.subscription_id = d.subscription_id AND u.delivery_id = d.id
  WHERE d.id = $1 AND u.lease_id = $2::uuid`;

export function createListenerStore(database: Sql): ListenerStore {
  return {
    async lease(id, accountId) {
      const [endpoint] = await database.query<SigningEndpoint>(TOUCH, [id, accountId]);
      if (endpoint === undefined) return undefined;
      const leaseId = randomUUID();
      const rows = await database.query<
        Pick<FetchedDelivery, 'id' | 'event' | 'body' | 'attemptCount'>
      >(LEASE, [id, leaseId]);
      const [next] = await database.query<{ at: Date | null }>(NEXT_DUE, [id]);
      return {
        deliveries: rows.map((row) => ({ ...row, leaseId, subscriptionId: id, endpoint })),
        nextDueAt: next?.at ?? null,
      };
    },

    async findLease(deliveryId, leaseId, accountId) {
      const [row] = await database.query<HeldLease>(FIND_LEASE, [deliveryId, leaseId, accountId]);
      return row;
    },
  };
}
