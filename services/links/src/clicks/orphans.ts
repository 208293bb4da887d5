import type { Logger } from '@atrium/service-kit/logger';
import type { ClickJournal } from './journal.ts';
import type { ClickStore } from './store.ts';

const BATCH_MAX = 500;
/** A journal entry this old belongs to a process that has died or could not store it. */
const ORPHAN_AGE_MS = 30_000;

export interface OrphanOptions {
  journal: ClickJournal;
  store: ClickStore;
  logger: Logger;
  orphanAgeMs?: number;
}

/** Stores what the journal has held for too long. A click that is stored already changes nothing. */
export async function storeOrphanedClicks(
  { journal, store, logger, orphanAgeMs = ORPHAN_AGE_MS }: OrphanOptions,
  signal: AbortSignal,
): Promise<void> {
  for (;;) {
    signal.throwIfAborted();
    const entries = await journal.readOlderThan(orphanAgeMs, BATCH_MAX);
    if (entries.length === 0) return;
    await store.storeAll(entries.flatMap(({ click }) => (click === null ? [] : [click])));
    await journal.remove(entries.map(({ entryId }) => entryId));
    logger.info({ clicks: entries.length }, 'orphaned clicks stored');
  }
}
