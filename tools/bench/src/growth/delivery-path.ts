import { newId } from '@atrium/contracts/ids';
import type { Sql } from '@atrium/service-kit/database';
import { createAttemptStore } from '@atrium/webhook-dispatcher/attempt-store';
import { createIngestionStore } from '@atrium/webhook-dispatcher/ingestion-store';
import { createLeaseStore } from '@atrium/webhook-dispatcher/lease-store';
import type { FilledDatabase } from './environment.ts';
import { accountOf } from './fill.ts';

const PER_SUBSCRIPTION = 100;
const BATCH = 100;
/** What one lease takes: no endpoint twice, so that none reads past what was leased before. */
const ENDPOINTS_PER_LEASE = 2;
const TIMEOUT_MS = 600_000;

/** Runs work and adds to the figures what a thousand of its deliveries took. */
export type Measure = (name: string, work: () => Promise<number>) => Promise<void>;

/** Ingests, leases and records 20,000 deliveries, one statement at a time. */
export async function deliveryPath(filled: FilledDatabase, measure: Measure): Promise<void> {
  const { database, leasing, subscriptionIds } = filled;
  const ingestion = createIngestionStore(database);
  const leases = createLeaseStore(leasing, TIMEOUT_MS);
  const attempts = createAttemptStore(database);
  await measure('ingest', async () => {
    for (let n = 0; n < PER_SUBSCRIPTION; n += 1) {
      for (const ids of chunks(subscriptionIds, BATCH)) {
        const made = ids.map(newDelivery);
        await ingestion.insert(
          made.map(({ newEvent }) => newEvent),
          made.map(({ delivery }) => delivery),
        );
      }
    }
    return PER_SUBSCRIPTION * subscriptionIds.length;
  });
  // Autovacuum would do so at some time.
  await database.query('VACUUM ANALYZE undelivered');
  const leased: Awaited<ReturnType<typeof leases.lease>> = [];
  await measure('lease', async () => {
    for (const ids of chunks(subscriptionIds, ENDPOINTS_PER_LEASE)) {
      leased.push(...(await leases.lease(roundOf(ids))));
    }
    return leased.length;
  });
  if (leased.length !== PER_SUBSCRIPTION * subscriptionIds.length) {
    throw new Error(`${leased.length} were leased`);
  }
  await measure('record', async () => {
    for (const batch of chunks(leased, BATCH)) {
      await attempts.recordAttempts(
        batch.map(({ id, subscriptionId, leaseId, attemptCount }) => ({
          attemptId: newId('att'),
          deliveryId: id,
          subscriptionId,
          leaseId,
          number: attemptCount + 1,
          startedMs: Date.now(),
          durationMs: 20,
          outcome: 'delivered',
          status: 200,
          error: null,
          responseHeaders: null,
          responseExcerpt: null,
          nextAttemptInMs: null,
        })),
      );
    }
    return leased.length;
  });
  await database.query('VACUUM undelivered');
}

/** The lines about events of the plan of a lease. */
export async function leasePlan({
  database,
  leasing,
  subscriptionIds,
}: FilledDatabase): Promise<string> {
  const { newEvent, delivery } = newDelivery(subscriptionIds[0] ?? '');
  await createIngestionStore(database).insert([newEvent], [delivery]);
  const lines: string[] = [];
  const explaining: Sql = {
    async query(text, values) {
      const explain = `EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF, SUMMARY OFF, BUFFERS OFF) ${text}`;
      const rows = await leasing.query<{ 'QUERY PLAN': string }>(explain, values);
      lines.push(...rows.map((row) => row['QUERY PLAN']));
      return [];
    },
  };
  await createLeaseStore(explaining, TIMEOUT_MS).lease(roundOf(subscriptionIds.slice(0, 1)));
  await database.query('DELETE FROM undelivered');
  return lines.filter((line) => /events|Append/.test(line)).join('\n');
}

function roundOf(ids: readonly string[]) {
  return {
    slots: new Map(ids.map((id) => [id, PER_SUBSCRIPTION] as const)),
    limit: ids.length * PER_SUBSCRIPTION,
    bytes: 1_000_000,
  };
}

function newDelivery(subscriptionId: string) {
  const id = newId('evt');
  const accountId = accountOf(subscriptionId);
  const event = { id, event: 'go.click', accountId, createdAt: new Date().toISOString() } as const;
  const newEvent = { event, body: 'x'.repeat(100) };
  const delivery = { id: newId('dlv'), accountId, eventId: id, event: event.event, subscriptionId };
  return { newEvent, delivery };
}

function chunks<Item>(items: readonly Item[], size: number): Item[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, n) =>
    items.slice(n * size, (n + 1) * size),
  );
}
