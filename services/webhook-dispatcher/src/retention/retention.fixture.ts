import { createLogger } from '@atrium/service-kit/logger';
import {
  createPartitions,
  type PartitionOptions,
  type Partitions,
} from '@atrium/service-kit/partitions';
import type { Database } from '../database.ts';
import { runRetention } from './retention.ts';
import { ATTEMPTS, createRetentionStore, EVENTS } from './store.ts';

const logger = createLogger({ service: 'test', level: 'silent' });

export function partitionsOf(
  retentionDays: number,
  database: Database,
  onMade?: PartitionOptions['onMade'],
): Record<'attempts' | 'events', Partitions> {
  const options = { retentionDays, logger, ...(onMade && { onMade }) };
  return {
    attempts: createPartitions(database, ATTEMPTS, options),
    events: createPartitions(database, EVENTS, options),
  };
}

/** Runs retention once, as workers do. */
export function retainFor(retentionDays: number, database: Database): Promise<void> {
  const store = createRetentionStore(database);
  const deps = { store, ...partitionsOf(retentionDays, database), logger, retentionDays };
  return runRetention(deps, new AbortController().signal);
}
