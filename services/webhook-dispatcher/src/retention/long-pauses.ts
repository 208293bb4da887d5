import type { Logger } from '@atrium/service-kit/logger';
import type { EndpointFailuresStore } from '../endpoints/endpoint-failures-store.ts';
import type { LongPausesStore } from './long-pauses-store.ts';

export interface LongPausesDeps {
  store: LongPausesStore;
  failures: Pick<EndpointFailuresStore, 'disablePaused'>;
  /** Deliveries that may wait for one paused subscription. */
  pausedDeliveriesMax: number;
  logger: Logger;
}

/**
 * Disables paused subscriptions for which too many deliveries wait, so that a forgotten pause cannot fill the
 * database: they collect nothing more. What waits is sent once they are enabled and resumed, within the time of
 * retention.
 */
export async function disableLongPauses(
  { store, failures, pausedDeliveriesMax, logger }: LongPausesDeps,
  signal: AbortSignal,
): Promise<void> {
  const most = pausedDeliveriesMax.toLocaleString('en');
  while (!signal.aborted) {
    const webhookIds = await store.find(pausedDeliveriesMax);
    if (webhookIds.length === 0) return;
    await failures.disablePaused(webhookIds, `${most} deliveries waited while it was paused`);
    logger.warn({ webhookIds }, 'paused webhooks disabled: too many deliveries wait');
  }
}
