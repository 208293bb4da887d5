import type { RedisClient } from '@atrium/events/redis-client';

/** Clocks of different machines run at almost the same speed, and Redis's stands still while it works. */
const CLOCK_MARGIN_MS = 100;
/** After an outage of Redis the others may reconnect this much later, and could not record changes meanwhile. */
export const RECONNECT_MS = 2_000;

/** When accounts have last changed something or been told of a change, known to all processes of a service. */
export interface RecentChanges {
  /** Resolves when all processes know of it, or Redis is away. */
  record(accountId: string): Promise<void>;
  /** How long ago the last change was at least. */
  sinceMs(accountId: string): Promise<number>;
}

/**
 * Keeps them in Redis. What Redis has lost counts as a change: nothing that was recorded before its connection was
 * lost is relied on.
 *
 * @param options.keptMs how long a change is remembered
 */
export function createRecentChanges(options: {
  redis: RedisClient;
  keyPrefix: string;
  keptMs: number;
}): RecentChanges {
  const { redis, keyPrefix, keptMs } = options;
  const keyOf = (accountId: string) => `${keyPrefix}:recent-changes:${accountId}`;
  let lostMs = Number.NEGATIVE_INFINITY;
  const onLoss = () => {
    lostMs = performance.now() + RECONNECT_MS;
  };
  // The connection to a server was lost, or to one of a cluster.
  redis.on('close', onLoss);
  redis.on('-node', onLoss);
  return {
    async record(accountId) {
      await redis.set(keyOf(accountId), '', 'PX', keptMs).catch(onLoss);
    },
    async sinceMs(accountId) {
      const leftMs = await redis.pttl(keyOf(accountId)).catch(onLoss);
      const sinceMs = leftMs === undefined || leftMs < 0 ? keptMs : keptMs - leftMs;
      return Math.min(sinceMs - CLOCK_MARGIN_MS, performance.now() - lostMs);
    },
  };
}
