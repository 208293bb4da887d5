import type { ChangeSubscriptionBody } from '@atrium/contracts/webhooks/webhooks';
import type { Plan } from '@atrium/contracts/auth/tokens';
import { PLAN_LIMITS } from '@atrium/contracts/plan-limits';
import { HttpError } from '@atrium/service-kit/http-error';
import type { Tx } from '../database.ts';
import { originOf } from './destination.ts';

/** Whose subscriptions are limited. */
export interface PlannedAccount {
  id: string;
  plan: Plan;
}

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

/** Nobody else creates or restores a subscription of the account before the transaction ends. */
export async function lockSubscriptionsOf(tx: Tx, accountId: string): Promise<void> {
  // Raw: an advisory lock.
  await tx.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [accountId]);
}

/**
 * In a transaction that has locked the subscriptions of the account.
 *
 * @param account its plan is that of its token, which counts until a change of the plan is known
 * @throws HttpError 403 when the account has as many of them as its plan allows
 */
export async function assertPlanAllowsOneMore(tx: Tx, account: PlannedAccount): Promise<void> {
  const { id: accountId, plan } = account;
  const owner = await tx.prisma.owner.findFirst({
    where: { accountId, planChangedAt: { not: null } },
  });
  // The table allows no other plan.
  const { webhooks: limit } = PLAN_LIMITS[(owner?.plan as Plan | undefined) ?? plan];
  const count = await tx.prisma.subscription.count({ where: { accountId, deletedAt: null } });
  if (count >= limit)
    throw new HttpError('plan-limit-webhooks', `Your plan allows ${limit} webhooks`);
}
