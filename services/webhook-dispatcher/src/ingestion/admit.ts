import { newId } from '@atrium/contracts/ids';
import type { HeldEventsStore } from './held-events-store.ts';
import type { IngestionStore } from './store.ts';

const BATCH_SIZE = 100;

export interface AdmitDeps {
  store: Pick<IngestionStore, 'insert'>;
  held: HeldEventsStore;
  clockMs: () => number;
  /** Called with the subscriptions that have new deliveries. */
  onDeliveries: (subscriptionIds: string[]) => void;
}

/**
 * Stores events that waited for room in the backlog of their account, a batch of each account in
 * turn. They are removed after that: a worker that dies in between stores them twice, which changes
 * nothing.
 */
export async function admitHeldEvents(deps: AdmitDeps, signal: AbortSignal): Promise<void> {
  let isAnyAdmitted = true;
  while (isAnyAdmitted && !signal.aborted) {
    isAnyAdmitted = false;
    let accountId = await deps.held.nextAccount('');
    while (accountId !== undefined && !signal.aborted) {
      if (!(await deps.held.isFull(accountId))) {
        await admitBatch(accountId, deps);
        isAnyAdmitted = true;
      }
      accountId = await deps.held.nextAccount(accountId);
    }
  }
}

async function admitBatch(accountId: string, deps: AdmitDeps): Promise<void> {
  const { store, held, clockMs, onDeliveries } = deps;
  const events = await held.first(accountId, BATCH_SIZE);
  const nowMs = clockMs();
  const deliveries = events.flatMap(({ event, subscriptionIds }) =>
    subscriptionIds.map((subscriptionId) => ({
      id: newId('dlv', nowMs),
      eventId: event.id,
      event: event.event,
      subscriptionId,
    })),
  );
  const subscriptionIds = await store.insert(events, deliveries);
  await held.remove(events.map(({ event }) => event.id));
  if (subscriptionIds.size > 0) onDeliveries([...subscriptionIds]);
}
