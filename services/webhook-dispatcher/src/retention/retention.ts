import { setTimeout as sleep } from 'node:timers/promises';
import { idBound } from '@atrium/contracts/ids';
import type { Logger } from '@atrium/service-kit/logger';
import type { Partitions } from '@atrium/service-kit/partitions';
import type { PurgeStep, RetentionStore } from './store.ts';

const DAY_MS = 86_400_000;
/** Whatever was adding to a subscription when it was deleted has finished by then. */
const DELETED_SETTLE_MS = 300_000;

export interface RetentionDeps {
  store: RetentionStore;
  attempts: Partitions;
  events: Partitions;
  logger: Logger;
  /** How long deliveries stay visible at least; those that will still be attempted stay longer. */
  retentionDays: number;
}

/**
 * Makes partitions and drops those that are too old. Purges whatever else is too old and what belongs to deleted
 * subscriptions, in batches, and pauses after each for as long as it took, so that it never uses more than half of
 * one connection.
 */
export async function runRetention(deps: RetentionDeps, signal: AbortSignal): Promise<void> {
  const { store, attempts, events, logger, retentionDays } = deps;
  // By the clock of Postgres: a worker whose own clock is ahead must not purge what is young.
  const nowMs = await store.nowMs();
  const oldMs = nowMs - retentionDays * DAY_MS;
  await attempts.create(nowMs);
  await events.create(nowMs);
  // Only when their attempts go too: the erasure of an account finds attempts by their delivery.
  const oldDeliveries = await attempts.findOldBound(oldMs);
  const settled = new Date(nowMs - DELETED_SETTLE_MS);
  const purges: [name: string, purge: (after: string) => Promise<PurgeStep>][] = [
    ['listeners', () => store.deleteUnusedListeners()],
    ['subscriptions', () => store.purgeDeletedSubscriptions(settled)],
    ['deliveries', (after) => store.purgeDeliveries(after, oldDeliveries)],
    ['partitions of attempts', async () => ({ removed: await attempts.drop(oldMs), next: null })],
    ['partitions of events', async () => ({ removed: await events.drop(oldMs), next: null })],
    ['events', (after) => store.purgeEvents(after, idBound('evt', oldMs))],
    ['publishedIds', () => store.purgePublishedIds(idBound('evt', oldMs))],
    ['recoveries', (after) => store.purgeRecoveries(after, idBound('rcv', oldMs))],
    ['rejectedEvents', () => store.purgeRejectedEvents(new Date(oldMs))],
  ];
  const removed: Record<string, number> = {};
  for (const [name, purge] of purges) {
    let after: string | null = '';
    while (after !== null && !signal.aborted) {
      const startMs = performance.now();
      const step: PurgeStep = await purge(after);
      after = step.next;
      if (step.removed > 0) removed[name] = (removed[name] ?? 0) + step.removed;
      await sleep(performance.now() - startMs);
    }
  }
  if (Object.keys(removed).length > 0) logger.info({ removed }, 'purged what was too old');
}
