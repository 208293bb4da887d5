import { ASSUMED, MEASURED } from './costs.ts';
import type { Stage } from './simulation.ts';

const { redirected, recorded, delivered, drained } = MEASURED.cpuMs;
const { busyMax, commitMs, roundTripMs } = ASSUMED;
const ingestedMs = delivered.postgres - drained.postgres;

/** Clicks of one transaction: the rows of their owners and links are locked until it commits. */
export const STORE_BATCH = 500;
/** BEGIN, two locks, the clicks, the outbox, COMMIT. */
const STORE_STATEMENTS = 6;

const redirect = { part: 'links', cpuMs: redirected.links, batchMax: 1, waitMs: 0 };
const journal = { part: 'Redis', cpuMs: recorded.redis, batchMax: 1, waitMs: roundTripMs };
const store = {
  part: 'Postgres',
  cpuMs: recorded.postgres,
  batchMax: STORE_BATCH,
  waitMs: STORE_STATEMENTS * roundTripMs + commitMs,
  // Two batches nearly always have an owner in common, so one waits for the other.
  parallelMax: 1,
};
const relay = { part: 'links', batchMax: 100, waitMs: 0 };
const statement = { part: 'Postgres', batchMax: 100, waitMs: roundTripMs };
const committed = { ...statement, waitMs: roundTripMs + commitMs };

/**
 * What is done for a click, in the order of ARCHITECTURE.md and with the batches of the code. What was measured of two
 * stages together is halved.
 */
export const STAGES: readonly Stage[] = [
  { name: 'redirect', ...redirect },
  { name: 'journal', ...journal },
  { name: 'store', ...store },
  { name: 'relay', ...relay, cpuMs: recorded.links - redirected.links + delivered.links },
  { name: 'outbox', ...committed, cpuMs: ingestedMs / 2 },
  { name: 'queue', ...journal, cpuMs: delivered.redis, batchMax: 100 },
  { name: 'ingest', ...relay, part: 'worker', cpuMs: delivered.worker - drained.worker },
  { name: 'insert', ...committed, cpuMs: ingestedMs / 2 },
  { name: 'lease', ...statement, cpuMs: drained.postgres / 2 },
  { name: 'send', ...journal, part: 'worker', cpuMs: drained.worker, reachesReceiver: true },
  { name: 'record', ...committed, cpuMs: drained.postgres / 2, batchMax: 200 },
];

/** CPU milliseconds of a click, by part. */
export const CPU_MS: Record<string, number> = {};
for (const { part, cpuMs } of STAGES) CPU_MS[part] = (CPU_MS[part] ?? 0) + cpuMs;

/** Cores of a part that so many clicks a second keep busy. */
export const busyCores = (part: string, clicksPerSecond: number) =>
  (clicksPerSecond * (CPU_MS[part] ?? 0)) / 1000;

export const coresNeeded = (part: string, clicksPerSecond: number) =>
  Math.ceil(busyCores(part, clicksPerSecond) / busyMax);

/**
 * Clicks a second that one shard carries, by what limits it. A shard is a Postgres server with its Redis; of the rest,
 * which keeps nothing, more is started.
 */
export function shardLimits(): Record<string, number> {
  const lockedMs = store.cpuMs + store.waitMs / STORE_BATCH;
  const walKb = MEASURED.walKb.recorded + MEASURED.walKb.delivered;
  return {
    'one transaction of clicks at a time': (1000 / lockedMs) * busyMax,
    [`${ASSUMED.postgresCores} cores of Postgres`]:
      ((1000 * ASSUMED.postgresCores) / (CPU_MS['Postgres'] ?? 0)) * busyMax,
    'one thread of Redis': (1000 / (CPU_MS['Redis'] ?? 0)) * busyMax,
    [`WAL, ${ASSUMED.walMbPerSecond} MB/s`]: (ASSUMED.walMbPerSecond * 1000) / walKb,
  };
}

/** How long a disk holds what is kept of so many clicks a second. */
export function daysOnDisk(clicksPerSecond: number): number {
  const keptKb = MEASURED.keptKb.recorded + MEASURED.keptKb.delivered;
  return (ASSUMED.diskTb * 1e9) / (clicksPerSecond * keptKb * 86_400);
}
