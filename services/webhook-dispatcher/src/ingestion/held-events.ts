// Why it is so: docs/decisions/0016-a-flood-delays-its-own-account.md
import type { EventName } from '@atrium/contracts/events';
import { newId } from '@atrium/contracts/ids';
import type { HeldEvent, HeldEventsStore } from './held-events-store.ts';
import type { Candidate, IngestionStore, NewDelivery, NewEvent } from './store.ts';

const BATCH_SIZE = 100;
/** Visitors' clicks can fill a backlog, which must not hold back this alarm. */
const NEVER_HELD: EventName = 'auth.suspicious_login';
/** How often a backlog is counted, on average, while it grows to its limit. */
const COUNTS_PER_BACKLOG = 10;

export interface Backlogs {
  held: HeldEventsStore;
  /** Undelivered deliveries of one account, beyond which its new events are held. */
  accountBacklogMax: number;
}

export interface BatchToCheck {
  events: readonly NewEvent[];
  deliveries: readonly NewDelivery[];
  candidates: readonly Candidate[];
}

/** The events of a batch that must wait, with their subscriptions, in order. */
export async function findEventsToHold(
  batch: BatchToCheck,
  backlogs: Backlogs & { random: () => number },
): Promise<HeldEvent[]> {
  const full = await findFullAccounts(batch, backlogs);
  if (full.size === 0) return [];
  const byEvent = Map.groupBy(batch.deliveries, ({ eventId }) => eventId);
  return batch.events.flatMap((each): HeldEvent[] => {
    const own = byEvent.get(each.event.id);
    if (own === undefined || !full.has(each.event.accountId)) return [];
    if (each.event.event === NEVER_HELD) return [];
    return [{ ...each, subscriptionIds: own.map(({ subscriptionId }) => subscriptionId) }];
  });
}

/**
 * Accounts that hold events already, so that later ones do not overtake them, and those with a full
 * backlog. Counting for every batch would cost a fifth of ingestion. So it is counted at random, more
 * likely the more is added: a backlog exceeds its limit by a tenth on average, and by one batch.
 */
async function findFullAccounts(
  { deliveries, candidates }: BatchToCheck,
  backlogs: Backlogs & { random: () => number },
): Promise<Set<string>> {
  const full = new Set(candidates.filter((it) => it.holdsEvents).map((it) => it.accountId));
  const byAccount = Map.groupBy(deliveries, ({ accountId }) => accountId);
  for (const [accountId, { length: added }] of byAccount) {
    if (full.has(accountId)) continue;
    const isCounted = backlogs.random() * backlogs.accountBacklogMax < added * COUNTS_PER_BACKLOG;
    if (isCounted && (await remainingCapacity(accountId, backlogs)) === 0) full.add(accountId);
  }
  return full;
}

/** How many deliveries an account may add to its backlog. */
async function remainingCapacity(
  accountId: string,
  { held, accountBacklogMax }: Backlogs,
): Promise<number> {
  return accountBacklogMax - (await held.countBacklog(accountId, accountBacklogMax));
}

export interface AdmitDeps extends Backlogs {
  store: Pick<IngestionStore, 'insert'>;
  clockMs: () => number;
  /** Called with the subscriptions that have new deliveries. */
  onDeliveries: (subscriptionIds: string[]) => void;
}

/** Stores held events for which there is capacity again, the oldest of each account first. */
export async function admitHeldEvents(deps: AdmitDeps, signal: AbortSignal): Promise<void> {
  let accountId = await deps.held.findNextAccount('');
  while (accountId !== undefined && !signal.aborted) {
    let capacity = await remainingCapacity(accountId, deps);
    while (capacity > 0 && !signal.aborted) {
      const batch: HeldEvent[] = [];
      for (const event of await deps.held.listOldest(accountId, BATCH_SIZE)) {
        if (capacity <= 0) break;
        batch.push(event);
        capacity -= event.subscriptionIds.length;
      }
      if (batch.length === 0) break;
      await admit(batch, deps);
    }
    accountId = await deps.held.findNextAccount(accountId);
  }
}

/**
 * Stores the events, then removes them from those that wait: a worker that dies in between stores
 * them twice, which changes nothing.
 */
async function admit(
  events: readonly HeldEvent[],
  { store, held, clockMs, onDeliveries }: AdmitDeps,
): Promise<void> {
  const nowMs = clockMs();
  const deliveries = events.flatMap(({ event, subscriptionIds }) =>
    subscriptionIds.map((subscriptionId) => ({
      id: newId('dlv', nowMs),
      accountId: event.accountId,
      eventId: event.id,
      event: event.event,
      subscriptionId,
    })),
  );
  const inserted = await store.insert(events, deliveries);
  await held.remove(events.map(({ event }) => event.id));
  if (inserted.size > 0) onDeliveries([...inserted]);
}
