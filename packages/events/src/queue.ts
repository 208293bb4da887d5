import { createIORedisClient, Queue, RedisConnection } from 'bullmq';
import { createRedisClient } from './redis-client.ts';
import { within } from './timing.ts';

// The only way to give BullMQ clients of a cluster that it opens and closes as it does with any other.
RedisConnection.clientFactory = ({ url, ...options }) =>
  createIORedisClient(createRedisClient(String(url), options));

/** Where a queue lives. */
export interface QueueLocation {
  redisUrl: string;
  /** BullMQ key prefix, with braces so that a queue stays in one slot of a Redis Cluster. */
  queuePrefix: string;
}

/** The part of a pino logger that this package writes to. */
export interface EventLogger {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

const LOG_EVERY_MS = 10_000;
const RECONNECT_MAX_MS = 2_000;
const COMMAND_TIMEOUT_MS = 5_000;
/** A connection that says nothing for so long is replaced. Blocking commands wait for 10 s at most. */
const SILENCE_MAX_MS = 30_000;
const CLOSE_MS = 900;

/**
 * Logs errors that go on while Redis is away or full: one line in ten seconds at most, with the number of those that
 * were left out before it.
 */
export function createErrorLog(
  logger: EventLogger,
  fields: object,
  message: string,
): (error: unknown) => void {
  let nextMs = Number.NEGATIVE_INFINITY;
  let leftOut = 0;
  return (error) => {
    if (performance.now() < nextMs) {
      leftOut += 1;
      return;
    }
    logger.warn({ ...fields, err: error, leftOut }, message);
    nextMs = performance.now() + LOG_EVERY_MS;
    leftOut = 0;
  };
}

/** Milliseconds until the next attempt to reconnect to Redis: 50 doubling up to 2000. */
function reconnectDelayMs(attempt: number): number {
  return Math.min(50 * 2 ** Math.min(attempt, 10), RECONNECT_MAX_MS);
}

/** Connection options for BullMQ workers and listeners: blocking, and waiting for Redis for ever. */
export function blockingConnection(redisUrl: string) {
  return {
    url: redisUrl,
    maxRetriesPerRequest: null,
    socketTimeout: SILENCE_MAX_MS,
    retryStrategy: reconnectDelayMs,
  };
}

/** Connection options for adding jobs: commands fail at once while Redis is away. */
function producerConnection(redisUrl: string) {
  return {
    url: redisUrl,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    commandTimeout: COMMAND_TIMEOUT_MS,
    socketTimeout: SILENCE_MAX_MS,
    retryStrategy: reconnectDelayMs,
  };
}

/** A queue to add jobs to. */
export interface OpenQueue<Payload> extends AsyncDisposable {
  queue: Queue<Payload>;
}

/**
 * Opens a queue to add jobs to. Returns at once; adding fails while Redis is away (before the first
 * connection it waits for it). Disposal takes at most 900 ms, also without Redis.
 */
export function openQueue<Payload>(
  name: string,
  location: QueueLocation,
  logger: EventLogger,
): OpenQueue<Payload> {
  const queue = new Queue<Payload>(name, {
    connection: producerConnection(location.redisUrl),
    prefix: location.queuePrefix,
  });
  queue.on('error', createErrorLog(logger, { queue: name }, 'queue connection failed'));
  return {
    queue,
    [Symbol.asyncDispose]: async () => {
      await within(queue.close(), CLOSE_MS);
      // Ends the retries of a lost connection.
      void within(queue.disconnect(), CLOSE_MS);
    },
  };
}
