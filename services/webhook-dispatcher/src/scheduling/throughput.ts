import type { Logger } from '@atrium/service-kit/logger';
import type { RedisClient } from '@atrium/events/redis-client';

const MINUTE_MS = 60_000;
export const THROUGHPUT_MINUTES = 30;
const FLUSH_MS = 1_000;
const KEPT_SECONDS = (THROUGHPUT_MINUTES + 1) * 60;

interface Minute {
  /** When it began. */
  minute: string;
  delivered: number;
  failed: number;
}

const keyOf = (queuePrefix: string, minuteMs: number) =>
  `${queuePrefix}:webhook-throughput:${minuteMs / MINUTE_MS}`;
const minuteOf = (nowMs: number) => nowMs - (nowMs % MINUTE_MS);

export interface ThroughputCounter extends AsyncDisposable {
  count(outcome: 'delivered' | 'failed'): void;
}

/**
 * Counts the attempts of all workers in Redis, minute by minute. They are figures for operators: what Redis
 * does not take is not counted.
 */
export function startThroughputCounter(options: {
  redis: RedisClient;
  queuePrefix: string;
  clockMs: () => number;
  logger: Logger;
}): ThroughputCounter {
  const { redis, queuePrefix, clockMs, logger } = options;
  let counts = { delivered: 0, failed: 0 };

  async function flush(): Promise<void> {
    const entries = Object.entries(counts).filter(([, count]) => count > 0);
    if (entries.length === 0) return;
    counts = { delivered: 0, failed: 0 };
    const key = keyOf(queuePrefix, minuteOf(clockMs()));
    const pipeline = redis.pipeline();
    for (const [outcome, count] of entries) pipeline.hincrby(key, outcome, count);
    try {
      await pipeline.expire(key, KEPT_SECONDS).exec();
    } catch (error) {
      logger.debug({ err: error }, 'throughput not counted');
    }
  }

  const timer = setInterval(() => void flush(), FLUSH_MS);
  return {
    count(outcome) {
      counts[outcome] += 1;
    },
    async [Symbol.asyncDispose]() {
      clearInterval(timer);
      await flush();
    },
  };
}

/** The last minutes, the oldest first; the last one has only begun. */
export async function readThroughput(
  { redis, queuePrefix }: { redis: RedisClient; queuePrefix: string },
  nowMs: number,
): Promise<Minute[]> {
  const minutes = Array.from(
    { length: THROUGHPUT_MINUTES },
    (_, index) => minuteOf(nowMs) - (THROUGHPUT_MINUTES - 1 - index) * MINUTE_MS,
  );
  const counts = await Promise.all(
    minutes.map((minuteMs) => redis.hmget(keyOf(queuePrefix, minuteMs), 'delivered', 'failed')),
  );
  return minutes.map((minuteMs, index) => ({
    minute: new Date(minuteMs).toISOString(),
    delivered: Number(counts[index]?.[0] ?? 0),
    failed: Number(counts[index]?.[1] ?? 0),
  }));
}
