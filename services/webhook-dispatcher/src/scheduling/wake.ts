import type { Logger } from '@atrium/service-kit/logger';
import { createRedisClient, type RedisClient } from '@atrium/events/redis-client';

/** A message about more endpoints than this says "look everywhere" instead. */
const NAMED_ENDPOINTS_MAX = 200;

function channelName(queuePrefix: string): string {
  return `${queuePrefix}:deliveries:wake`;
}

/**
 * Endpoints at which something is due, and deliveries that are to be sent at once; undefined for any endpoint.
 */
export type WakeWorkers = (ids?: readonly string[]) => Promise<void>;

/**
 * Wakes the delivery loops of all workers. A lost message delays deliveries until the next scan.
 *
 * @param origin names a process that wakes its own loop directly
 */
export function createWorkerWaker(
  redis: Pick<RedisClient, 'publish'>,
  queuePrefix: string,
  logger: Logger,
  origin = '',
): WakeWorkers {
  return async (ids = []) => {
    const named = ids.length <= NAMED_ENDPOINTS_MAX ? ids : [];
    try {
      await redis.publish(channelName(queuePrefix), [origin, ...named].join(','));
    } catch (error) {
      logger.warn({ err: error }, 'workers could not be woken and will find it by their next scan');
    }
  };
}

export interface WakeSubscription {
  redisUrl: string;
  queuePrefix: string;
  logger: Logger;
  /** Messages of this origin are ignored. */
  origin: string;
  wake: (ids?: readonly string[]) => void;
}

/** Listens for wake-ups on a connection of its own: a subscribed one takes no other commands. */
export function subscribeToWakes(options: WakeSubscription): Disposable {
  const { redisUrl, queuePrefix, logger, origin, wake } = options;
  const client = createRedisClient(redisUrl, { maxRetriesPerRequest: null });
  client.on('error', (error) => logger.debug({ err: error }, 'wake channel is unavailable'));
  // Also after a reconnect: a message may have been missed.
  client.on('ready', () => wake());
  client.on('message', (_channel, message: string) => {
    const [from, ...named] = message.split(',');
    if (from !== origin) wake(named.length === 0 ? undefined : named);
  });
  client.subscribe(channelName(queuePrefix)).catch((error: unknown) => {
    logger.debug({ err: error }, 'wake channel could not be subscribed to');
  });
  return { [Symbol.dispose]: () => client.disconnect() };
}
