// Why it is so: docs/decisions/0016-a-flood-delays-its-own-account.md
import type { EventName } from '@atrium/contracts/events';
import { newId } from '@atrium/contracts/ids';
import type { PublishChanges } from '../live/change-publisher.ts';
import type { HeldDeliveriesStore } from './held-deliveries-store.ts';
import type { Candidate, NewDelivery } from './store.ts';

const BATCH_SIZE = 500;
/** Visitors' clicks can fill a backlog, which must not hold back this alarm. */
const NEVER_HELD: EventName = 'auth.suspicious_login';
/** How often a backlog is counted, on average, while it grows to its limit. */
const COUNTS_PER_BACKLOG = 10;

export interface Backlogs {
  held: HeldDeliveriesStore;
  /** Deliveries of one account that wait, beyond which further ones are held. */
  accountBacklogMax: number;
}

export interface BatchToCheck {
  deliveries: readonly NewDelivery[];
  candidates: readonly Candidate[];
}

/**
 * Which deliveries of a batch must be held: those of subscriptions that hold some already, so that
 * later ones do not overtake them, and of those that are full. Counting for every batch would cost a
 * fifth of ingestion. So it is counted at random, more likely the more is added: a backlog exceeds its
 * limit by a tenth on average, and by one batch.
 */
export async function findDeliveriesToHold(
  { deliveries, candidates }: BatchToCheck,
  { held, accountBacklogMax, random }: Backlogs & { random: () => number },
): Promise<(delivery: NewDelivery) => boolean> {
  const full = new Set(candidates.filter((it) => it.holds).map((it) => it.subscriptionId));
  const added = deliveries.filter(({ subscriptionId }) => !full.has(subscriptionId));
  for (const [accountId, { length }] of Map.groupBy(added, (each) => each.accountId)) {
    if (random() * accountBacklogMax >= length * COUNTS_PER_BACKLOG) continue;
    const waiting = await held.countBacklogs(accountId, accountBacklogMax);
    for (const id of waiting.keys()) {
      if (capacityOf(id, waiting, accountBacklogMax) <= 0) full.add(id);
    }
  }
  return ({ subscriptionId, event }) => full.has(subscriptionId) && event !== NEVER_HELD;
}

/**
 * How many deliveries a subscription may add to the backlog of its account: what is left of the limit,
 * and in any case up to an equal share of it, so that one that fails or is slow holds up no other. One
 * that is not active may add any number.
 */
function capacityOf(id: string, waiting: ReadonlyMap<string, number>, max: number): number {
  const own = waiting.get(id);
  if (own === undefined) return Infinity;
  const total = waiting.values().reduce((sum, count) => sum + count, 0);
  return Math.max(max - total, Math.ceil(max / waiting.size) - own);
}

export interface AdmitDeps extends Backlogs {
  clockMs: () => number;
  /** Called with the subscriptions that have new deliveries. */
  onDeliveries: (subscriptionIds: string[]) => void;
  publishChanges: PublishChanges;
}

/** Makes held deliveries for which there is capacity again, the oldest of each subscription first. */
export async function admitHeldDeliveries(deps: AdmitDeps, signal: AbortSignal): Promise<void> {
  const { held, accountBacklogMax, clockMs, onDeliveries, publishChanges } = deps;
  const holding = await held.listHolding();
  for (const [accountId, subscriptions] of Map.groupBy(holding, (each) => each.accountId)) {
    if (signal.aborted) return;
    const waiting = await held.countBacklogs(accountId, accountBacklogMax);
    for (const { id } of subscriptions) {
      let isDone = false;
      while (!isDone && !signal.aborted) {
        const count = Math.min(BATCH_SIZE, capacityOf(id, waiting, accountBacklogMax));
        if (count <= 0) break;
        const ids = Array.from({ length: count }, () => newId('dlv', clockMs()));
        const { removed, deliveryIds } = await held.admit(id, ids);
        const before = waiting.get(id);
        if (before !== undefined) waiting.set(id, before + deliveryIds.length);
        isDone = removed < count;
        if (deliveryIds.length === 0) continue;
        publishChanges(accountId, deliveryIds);
        onDeliveries([id]);
      }
    }
  }
}
