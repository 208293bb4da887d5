import type { Logger } from '@atrium/service-kit/logger';
import type { RedisHandle } from '@atrium/service-kit/redis';

export interface Invalidation extends AsyncDisposable {
  /** Tells every process that the targets of these slugs have changed. */
  announce(slugs: string[]): void;
}

/**
 * Announces changed links to the other processes over Redis publish/subscribe. Messages are missed
 * while Redis is away, so `onGap` is called after every connection; the short lifetime of cache
 * entries bounds the rest.
 */
export function startInvalidation(options: {
  redis: RedisHandle;
  queuePrefix: string;
  logger: Logger;
  onChanged: (slug: string) => void;
  onGap: () => void;
}): Invalidation {
  const { redis, queuePrefix, logger, onChanged, onGap } = options;
  const channel = `${queuePrefix}:links-changed`;
  // A subscribed connection cannot run other commands.
  const subscriber = redis.openSubscriber('links-invalidation');

  let isClosed = false;

  // Only once subscribed again can no further message be missed.
  subscriber.on('ready', () => {
    subscriber.subscribe(channel).then(onGap, (error: unknown) => {
      if (isClosed) return;
      logger.warn({ err: error }, 'cannot subscribe to changed links, will reconnect');
      subscriber.disconnect(true);
    });
  });
  subscriber.on('error', (error: Error) =>
    logger.debug({ err: error }, 'subscriber connection failed'),
  );
  subscriber.on('message', (_channel: string, slugs: string) => {
    for (const slug of slugs.split(' ')) onChanged(slug);
  });
  subscriber.connect().catch((error: unknown) => {
    logger.warn({ err: error }, 'redis not reachable, changed links are noticed late');
  });

  return {
    announce(slugs) {
      redis.client.publish(channel, slugs.join(' ')).catch((error: unknown) => {
        logger.warn(
          { err: error },
          'changed links not announced, other processes notice them late',
        );
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
