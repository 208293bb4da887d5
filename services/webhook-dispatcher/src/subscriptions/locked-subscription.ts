import type { ChangeSubscriptionBody } from '@atrium/contracts/webhooks/webhooks';
import type { Tx } from '../database.ts';
import { originOf } from './destination.ts';

interface LockedSubscription {
  url: string;
  namespace: string | null;
  hasHeaders: boolean;
  hasDestination: boolean;
  publicKey: string | null;
}

// Raw: Prisma locks no rows. Headers that are set meanwhile wait for the change of the URL.
const LOCK_SUBSCRIPTION = `
  SELECT url, namespace, sealed_headers IS NOT NULL AS "hasHeaders",
    sealed_destination IS NOT NULL AS "hasDestination", public_key AS "publicKey"
  FROM subscriptions
  WHERE id = $1 AND account_id = $2 AND deleted_at IS NULL FOR NO KEY UPDATE`;

/** An owned subscription, which nobody else changes before the transaction ends. */
export async function lockSubscription(
  tx: Tx,
  id: string,
  accountId: string,
): Promise<LockedSubscription | undefined> {
  const [locked] = await tx.query<LockedSubscription>(LOCK_SUBSCRIPTION, [id, accountId]);
  return locked;
}

/** What must be sent again with a URL of another origin, and is not. */
export function missingForNewOrigin(
  { url, hasHeaders, hasDestination }: LockedSubscription,
  change: {
    [Key in 'url' | 'headers' | 'destination']: ChangeSubscriptionBody[Key] | undefined;
  },
): 'headersOfAnotherOrigin' | 'credentialsOfAnotherOrigin' | undefined {
  if (change.url === undefined || originOf(change.url) === originOf(url)) return undefined;
  if (hasHeaders && change.headers === undefined) return 'headersOfAnotherOrigin';
  if (hasDestination && change.destination === undefined) return 'credentialsOfAnotherOrigin';
  return undefined;
}

/** How many subscriptions the account has. Nobody else changes that before the transaction ends. */
export async function lockAndCount(tx: Tx, accountId: string): Promise<number> {
  // Raw: an advisory lock.
  await tx.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [accountId]);
  return tx.prisma.subscription.count({ where: { accountId, deletedAt: null } });
}
