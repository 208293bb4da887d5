import type { Logger } from '@atrium/service-kit/logger';
import type { Redis } from 'ioredis';

export interface Invalidation extends AsyncDisposable {
  /** Tells every replica that these slugs lead elsewhere now. */
  announce(slugs: string[]): void;
}

/**
 * Carries changes of links between replicas over Redis publish/subscribe. A message can be missed
 * while Redis is away, so a lost connection counts as "anything may have changed", and the cache's
 * short time to live bounds what is left.
 */
export function startInvalidation(options: {
  redis: Redis;
  queuePrefix: string;
  logger: Logger;
  onChanged: (slug: string) => void;
  onGap: () => void;
}): Invalidation {
  const { redis, queuePrefix, logger, onChanged, onGap } = options;
  const channel = `${queuePrefix}:links-changed`;
  // A connection that subscribes can do nothing else.
  const subscriber = redis.duplicate({
    lazyConnect: true,
    autoResubscribe: false,
    connectionName: 'links-invalidation',
  });

  let isClosed = false;

  // Subscribed anew on every connection, and only then is the gap known to have ended.
  subscriber.on('ready', () => {
    subscriber.subscribe(channel).then(onGap, (error: unknown) => {
      if (isClosed) return;
      logger.warn({ err: error }, 'could not subscribe to changes of links');
      subscriber.disconnect(true);
    });
  });
  subscriber.on('error', (error: Error) => logger.debug({ err: error }, 'subscriber failed'));
  subscriber.on('message', (_channel: string, slugs: string) => {
    for (const slug of slugs.split(' ')) onChanged(slug);
  });
  subscriber.connect().catch((error: unknown) => {
    logger.warn({ err: error }, 'changes of links by other replicas arrive late');
  });

  return {
    announce(slugs) {
      redis.publish(channel, slugs.join(' ')).catch((error: unknown) => {
        logger.warn({ err: error }, 'other replicas were not told of a changed link');
      });
    },
    async [Symbol.asyncDispose]() {
      isClosed = true;
      if (subscriber.status === 'end') return;
      const ended = new Promise((resolve) => subscriber.once('end', resolve));
      const isConnected = subscriber.status === 'ready';
      subscriber.disconnect();
      if (isConnected) await ended;
    },
  };
}
