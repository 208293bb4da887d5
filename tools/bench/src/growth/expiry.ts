import { idBound } from '@atrium/contracts/ids';
import { createRetentionStore, type PurgeStep } from '@atrium/webhook-dispatcher/retention-store';
import type { Measure } from './delivery-path.ts';
import type { FilledDatabase } from './environment.ts';

const DELIVERIES = 20_000;

/**
 * Expires old deliveries by row, as retention does, and what belongs to them: their attempts and events by row where
 * the tables are not partitioned, else by dropping a partition of each, which is measured apart.
 */
export async function expiry(filled: FilledDatabase, measure: Measure): Promise<void> {
  const { database, deliveries, oldMs, oldDeliveries, partitions } = filled;
  const store = createRetentionStore(database);
  await measure('expire by row', async () => {
    await purge((after) => store.purgeDeliveries(after, idBound('dlv', oldMs)));
    if (partitions === undefined) {
      await purge((after) => store.purgeEvents(after, idBound('evt', oldMs)));
    }
    return Math.min(DELIVERIES, deliveries);
  });
  if (partitions === undefined) return;
  // The rest of the old ones expires unmeasured, and leaves what deleting leaves in the indexes.
  await database.query('DELETE FROM deliveries WHERE id < $1', [idBound('dlv', oldMs)]);
  await measure('drop', async () => {
    const dropped = (await partitions.attempts.drop(oldMs)) + (await partitions.events.drop(oldMs));
    if (dropped !== 2) throw new Error(`${dropped} partitions were dropped`);
    return oldDeliveries;
  });
}

async function purge(step: (after: string) => Promise<PurgeStep>): Promise<void> {
  let after: string | null = '';
  for (let removed = 0; removed < DELIVERIES && after !== null;) {
    const done: PurgeStep = await step(after);
    removed += done.removed;
    after = done.next;
  }
}
