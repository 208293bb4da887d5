import { atMost } from '@atrium/service-kit/at-most';
import type { Logger } from '@atrium/service-kit/logger';
import { LRUCache } from 'lru-cache';
import type { LeasedDelivery, PostponedAttempt } from '../sending/deliver.ts';

const WEBHOOKS_MAX = 1_000;
const QUIET_MS = 60_000;

/** Warns of postponed deliveries: of those of one webhook with one cause, once a minute. */
export function createPostponementLog(logger: Logger) {
  const warned = new LRUCache<string, true>({ ...atMost(WEBHOOKS_MAX), ttl: QUIET_MS });

  return (
    { id, subscriptionId }: Pick<LeasedDelivery, 'id' | 'subscriptionId'>,
    { cause, reason, delayMs }: PostponedAttempt,
  ): void => {
    const key = `${subscriptionId} ${cause}`;
    if (warned.has(key)) return;
    warned.set(key, true);
    const fields = { deliveryId: id, webhookId: subscriptionId, reason, delayMs };
    logger.warn(fields, 'delivery postponed, its attempt is not spent');
  };
}
