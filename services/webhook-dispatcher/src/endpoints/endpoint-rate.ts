import type { RedisClient } from '@atrium/events/redis-client';
import { atMost } from '@atrium/service-kit/at-most';
import type { Logger } from '@atrium/service-kit/logger';
import { LRUCache } from 'lru-cache';

export interface Permits {
  granted: number;
  /** When nothing was granted: until it is worth asking again. */
  retryAfterMs: number;
}

/** Asks for up to `wanted` requests to an endpoint that takes `ratePerSecond`. Never rejects. */
export type TakePermits = (
  subscriptionId: string,
  ratePerSecond: number,
  wanted: number,
) => Promise<Permits>;

/**
 * GCRA (ITU-T I.371) for several at once: KEYS[1] holds the arrival time of the next request (ms).
 * ARGV: interval, how far ahead it may lie, wanted. Redis's own clock is the one that all workers
 * share. Answers granted, milliseconds until the next.
 */
const TAKE_LUA = `
local time = redis.call('TIME')
local now = time[1] * 1000 + time[2] / 1000
local interval, tolerance, wanted = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local arrival = math.max(tonumber(redis.call('GET', KEYS[1]) or now), now)
local granted = math.min(wanted, math.floor((now + tolerance - arrival) / interval + 0.001))
if granted < 1 then
  return {0, math.ceil(arrival + interval - tolerance - now)}
end
arrival = arrival + granted * interval
redis.call('SET', KEYS[1], string.format('%.3f', arrival), 'PX', math.ceil(arrival - now) + 1)
return {granted, 0}
`;

/** The requests of a tenth of a second may be sent at once: smooth, and still few calls to Redis. */
const BURST_SECONDS = 0.1;
const LOCAL_ENDPOINTS_MAX = 50_000;

/**
 * Keeps the rate that an owner set for an endpoint, across all workers; while Redis is unavailable
 * each worker keeps it by itself.
 */
export function createEndpointRate(
  redis: RedisClient,
  queuePrefix: string,
  logger: Logger,
): TakePermits {
  const localFreeAtMs = new LRUCache<string, number>(atMost(LOCAL_ENDPOINTS_MAX));

  function takeLocally(subscriptionId: string, intervalMs: number): Permits {
    const nowMs = Date.now();
    const freeAtMs = localFreeAtMs.get(subscriptionId) ?? 0;
    if (freeAtMs > nowMs) return { granted: 0, retryAfterMs: Math.ceil(freeAtMs - nowMs) };
    localFreeAtMs.set(subscriptionId, nowMs + intervalMs);
    return { granted: 1, retryAfterMs: 0 };
  }

  return async (subscriptionId, ratePerSecond, wanted) => {
    const intervalMs = 1000 / ratePerSecond;
    const burst = Math.max(1, Math.floor(ratePerSecond * BURST_SECONDS));
    try {
      const answer = await redis.eval(
        TAKE_LUA,
        1,
        `${queuePrefix}:endpoint-rate:${subscriptionId}`,
        intervalMs,
        burst * intervalMs,
        wanted,
      );
      localFreeAtMs.clear();
      if (Array.isArray(answer)) {
        return { granted: Number(answer[0]), retryAfterMs: Number(answer[1]) };
      }
    } catch (error) {
      logger.debug(
        { err: error },
        'Redis is unavailable: endpoint rates are kept by this worker alone',
      );
    }
    return takeLocally(subscriptionId, intervalMs);
  };
}
