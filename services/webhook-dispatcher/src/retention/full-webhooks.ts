import type { Logger } from '@atrium/service-kit/logger';

export interface FullWebhooksStore {
  /** The next subscriptions by id, and whether so many deliveries are kept for them. */
  findNext(afterId: string, deliveries: number): Promise<{ id: string; isFull: boolean }[]>;
  /** Disables those whose state is still the same and has an email sent to their owners: both or neither. */
  disable(ids: string[]): Promise<void>;
}

interface FullWebhooksDeps {
  store: FullWebhooksStore;
  /** Deliveries that may be kept for one subscription. */
  deliveriesMax: number;
  logger: Logger;
}

/**
 * Disables subscriptions for which too many deliveries are kept, so that neither a forgotten pause nor a webhook that
 * is slower than its events can fill the database: they collect nothing more. What is kept is sent once they are
 * enabled, and resumed, within the time of retention. The command of a listener enables it again.
 */
export async function disableFullWebhooks(
  { store, deliveriesMax, logger }: FullWebhooksDeps,
  signal: AbortSignal,
): Promise<void> {
  let afterId: string | undefined = '';
  while (afterId !== undefined && !signal.aborted) {
    const step = await store.findNext(afterId, deliveriesMax);
    const webhookIds = step.filter(({ isFull }) => isFull).map(({ id }) => id);
    if (webhookIds.length > 0) {
      await store.disable(webhookIds);
      logger.warn({ webhookIds }, 'webhooks disabled: too many deliveries are kept for them');
    }
    afterId = step.at(-1)?.id;
  }
}
