import type { Logger } from '@atrium/service-kit/logger';
import { Redis } from 'ioredis';

function channelName(queuePrefix: string): string {
  return `${queuePrefix}:deliveries:wake`;
}

/** Wakes the drain loops of every process. A lost message costs a poll interval, nothing more. */
export function createWorkerWaker(
  redis: Pick<Redis, 'publish'>,
  queuePrefix: string,
  logger: Logger,
): () => Promise<void> {
  return async () => {
    try {
      await redis.publish(channelName(queuePrefix), '');
    } catch (error) {
      logger.warn({ err: error }, 'workers could not be woken and will look by themselves');
    }
  };
}

export interface WakeSubscription {
  redisUrl: string;
  queuePrefix: string;
  logger: Logger;
  wake: () => void;
}

/** Listens for wake-ups, on a connection of its own: a subscribed one takes no other commands. */
export function subscribeToWakes(options: WakeSubscription): Disposable {
  const { redisUrl, queuePrefix, logger, wake } = options;
  const client = new Redis(redisUrl, { maxRetriesPerRequest: null });
  client.on('error', (error) => logger.debug({ err: error }, 'wake channel is away'));
  // Also after a reconnect: something may have been said while nobody listened.
  client.on('ready', wake);
  client.on('message', wake);
  client.subscribe(channelName(queuePrefix)).catch((error: unknown) => {
    logger.debug({ err: error }, 'wake channel was not subscribed to');
  });
  return { [Symbol.dispose]: () => client.disconnect() };
}
