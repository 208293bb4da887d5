import type { Logger } from '@atrium/service-kit/logger';
import type { SlowWebhooksStore } from './slow-webhooks-store.ts';

interface SlowWebhooksDeps {
  store: SlowWebhooksStore;
  /** Deliveries that may be held for one subscription. */
  heldDeliveriesMax: number;
  logger: Logger;
}

/**
 * Disables subscriptions for which too many deliveries are held, so that one that is slower than its events cannot
 * fill the database. What is held becomes deliveries, which are sent once it is enabled, within the time of
 * retention.
 */
export async function disableSlowWebhooks({
  store,
  heldDeliveriesMax,
  logger,
}: SlowWebhooksDeps): Promise<void> {
  const webhookIds = await store.findSlow(heldDeliveriesMax);
  if (webhookIds.length === 0) return;
  await store.disable(webhookIds);
  logger.warn({ webhookIds }, 'slow webhooks disabled: too many deliveries are held');
}
