// Why it is so: docs/decisions/0016-a-flood-delays-its-own-account.md
import type { EventName } from '@atrium/contracts/events';
import { newId } from '@atrium/contracts/ids';
import type { Logger } from '@atrium/service-kit/logger';
import type { PublishChanges } from '../live/change-publisher.ts';
import type { Backlog, HeldDeliveriesStore, HoldingSubscription } from './held-deliveries-store.ts';
import type { Candidate, NewDelivery } from './store.ts';

const BATCH_SIZE = 500;
/**
 * All inactive subscriptions of an account together get so many: they have no limit, but other accounts must not wait
 * for all of them.
 */
const INACTIVE_PER_RUN = 2_000;
/** Visitors' clicks can fill a backlog, which must not hold back this alarm. */
const NEVER_HELD: EventName = 'auth.suspicious_login';
/** How often a backlog is counted, on average, while it grows to its limit. */
const COUNTS_PER_BACKLOG = 10;

export interface Backlogs {
  held: HeldDeliveriesStore;
  /** Deliveries of one account that wait, beyond which further ones are held. */
  accountBacklogMax: number;
}

/**
 * Which deliveries of a batch must be held: those of subscriptions that hold some already, so that
 * later ones do not overtake them, and of those that are full. Counting for every batch would cost a
 * fifth of ingestion. So it is counted at random, more likely the more is added: a backlog exceeds its
 * limit by a tenth on average, and by one batch.
 */
export async function findDeliveriesToHold(
  deliveries: readonly NewDelivery[],
  candidates: readonly Candidate[],
  { held, accountBacklogMax, random }: Backlogs & { random: () => number },
): Promise<(delivery: NewDelivery) => boolean> {
  const full = new Set(candidates.filter((it) => it.holds).map((it) => it.subscriptionId));
  const added = deliveries.filter(({ subscriptionId }) => !full.has(subscriptionId));
  for (const [accountId, { length }] of Map.groupBy(added, (each) => each.accountId)) {
    if (random() * accountBacklogMax >= length * COUNTS_PER_BACKLOG) continue;
    const backlog = await held.countBacklog(accountId, accountBacklogMax);
    for (const [id, own] of backlog.bySubscription) {
      if (capacityOf(own, backlog, accountBacklogMax) <= 0) full.add(id);
    }
  }
  return ({ subscriptionId, event }) => full.has(subscriptionId) && event !== NEVER_HELD;
}

/**
 * How many deliveries an active subscription may add to the backlog of its account: what is left of the limit, and in
 * any case up to an equal share of it, so that one that fails or is slow holds up no other.
 */
function capacityOf(own: number, { total, bySubscription }: Backlog, max: number): number {
  return Math.max(max - total, Math.ceil(max / bySubscription.size) - own);
}

export interface AdmitDeps extends Backlogs {
  logger: Logger;
  clockMs: () => number;
  /** Called with the subscriptions that have new deliveries. */
  onDeliveries: (subscriptionIds: string[]) => void;
  publishChanges: PublishChanges;
}

/** Makes held deliveries for which there is capacity again, the oldest of each subscription first. */
export async function admitHeldDeliveries(deps: AdmitDeps, signal: AbortSignal): Promise<void> {
  const holding = await deps.held.listHolding();
  for (const [accountId, subscriptions] of Map.groupBy(holding, (each) => each.accountId)) {
    if (signal.aborted) return;
    try {
      await admitOfAccount(accountId, subscriptions, deps, signal);
    } catch (error) {
      deps.logger.error(
        { err: error, accountId },
        'held deliveries not made, next try in a second',
      );
    }
  }
}

async function admitOfAccount(
  accountId: string,
  subscriptions: readonly HoldingSubscription[],
  { held, accountBacklogMax, clockMs, onDeliveries, publishChanges }: AdmitDeps,
  signal: AbortSignal,
): Promise<void> {
  const backlog = await held.countBacklog(accountId, accountBacklogMax);
  let inactiveLeft = INACTIVE_PER_RUN;
  for (const { id } of subscriptions) {
    const own = backlog.bySubscription.get(id);
    let capacity = own === undefined ? inactiveLeft : capacityOf(own, backlog, accountBacklogMax);
    while (capacity > 0 && !signal.aborted) {
      const count = Math.min(BATCH_SIZE, capacity);
      const ids = Array.from({ length: count }, () => newId('dlv', clockMs()));
      const { removed, deliveryIds } = await held.admit(id, ids);
      if (own === undefined) inactiveLeft -= removed;
      else backlog.total += deliveryIds.length;
      capacity = removed < count ? 0 : capacity - removed;
      if (deliveryIds.length === 0) continue;
      publishChanges(accountId, deliveryIds);
      onDeliveries([id]);
    }
  }
}
