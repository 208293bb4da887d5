import type { Logger } from '@atrium/service-kit/logger';
import type { RedisClient } from '@atrium/events/redis-client';

/** What a worker knows of an endpoint whose circuit is open. */
export interface Rest {
  failures: number;
  untilMs: number;
}

/** It is shown for a moment longer, in which the next request decides. */
const KEPT_MS = 5_000;

const keyOf = (queuePrefix: string, subscriptionId: string) =>
  `${queuePrefix}:webhook-rest:${subscriptionId}`;

/**
 * The open circuits, which live in the memory of each worker, in Redis for the pages: the last worker to open one is
 * shown. What Redis does not take is not shown.
 */
export function createRestingEndpoints(redis: RedisClient, queuePrefix: string, logger: Logger) {
  return {
    /** @param rest null once the endpoint has answered well */
    set: (subscriptionId: string, rest: Rest | null): void => {
      const key = keyOf(queuePrefix, subscriptionId);
      const ttlMs = rest === null ? 0 : Math.ceil(rest.untilMs - Date.now()) + KEPT_MS;
      const write =
        rest === null || ttlMs <= 0
          ? redis.del(key)
          : redis.set(key, `${rest.failures} ${Math.round(rest.untilMs)}`, 'PX', ttlMs);
      write.catch((error: unknown) => {
        logger.debug({ err: error }, 'the rest of an endpoint is not shown');
      });
    },

    read: async (subscriptionIds: readonly string[]): Promise<Map<string, Rest>> => {
      if (subscriptionIds.length === 0) return new Map();
      const keys = subscriptionIds.map((id) => keyOf(queuePrefix, id));
      const values = await redis.mget(keys).catch((error: unknown) => {
        logger.debug({ err: error }, 'the rests of endpoints are not shown');
        return [];
      });
      return new Map(
        subscriptionIds.flatMap((id, index) => {
          const [failures = NaN, untilMs = NaN] = (values[index] ?? '').split(' ').map(Number);
          return untilMs > 0 ? [[id, { failures, untilMs }] as const] : [];
        }),
      );
    },
  };
}

export type RestingEndpoints = ReturnType<typeof createRestingEndpoints>;
