import type { Logger } from '@atrium/service-kit/logger';
import { Redis } from 'ioredis';

/** A message that names more endpoints than this says "look everywhere" instead. */
const NAMED_ENDPOINTS_MAX = 200;

function channelName(queuePrefix: string): string {
  return `${queuePrefix}:deliveries:wake`;
}

/** Endpoints at which something is due; undefined for anywhere. */
export type WakeWorkers = (subscriptionIds?: readonly string[]) => Promise<void>;

/**
 * Wakes the drain loops of every process. A lost message costs a scan interval, nothing more.
 *
 * @param origin names a process that wakes its own drain loop by itself
 */
export function createWorkerWaker(
  redis: Pick<Redis, 'publish'>,
  queuePrefix: string,
  logger: Logger,
  origin = '',
): WakeWorkers {
  return async (subscriptionIds = []) => {
    const named = subscriptionIds.length <= NAMED_ENDPOINTS_MAX ? subscriptionIds : [];
    try {
      await redis.publish(channelName(queuePrefix), [origin, ...named].join(','));
    } catch (error) {
      logger.warn({ err: error }, 'workers could not be woken and will look by themselves');
    }
  };
}

export interface WakeSubscription {
  redisUrl: string;
  queuePrefix: string;
  logger: Logger;
  /** Messages of this origin are our own. */
  origin: string;
  wake: (subscriptionIds?: readonly string[]) => void;
}

/** Listens for wake-ups, on a connection of its own: a subscribed one takes no other commands. */
export function subscribeToWakes(options: WakeSubscription): Disposable {
  const { redisUrl, queuePrefix, logger, origin, wake } = options;
  const client = new Redis(redisUrl, { maxRetriesPerRequest: null });
  client.on('error', (error) => logger.debug({ err: error }, 'wake channel is away'));
  // Also after a reconnect: something may have been said while nobody listened.
  client.on('ready', () => wake());
  client.on('message', (_channel, message: string) => {
    const [from, ...named] = message.split(',');
    if (from !== origin) wake(named.length === 0 ? undefined : named);
  });
  client.subscribe(channelName(queuePrefix)).catch((error: unknown) => {
    logger.debug({ err: error }, 'wake channel was not subscribed to');
  });
  return { [Symbol.dispose]: () => client.disconnect() };
}
