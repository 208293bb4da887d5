import type { Logger } from '@atrium/service-kit/logger';
import type { LongPausesStore } from './long-pauses-store.ts';

interface LongPausesDeps {
  store: LongPausesStore;
  /** Deliveries that may wait for one paused subscription. */
  pausedDeliveriesMax: number;
  logger: Logger;
}

/**
 * Disables paused subscriptions for which too many deliveries wait, so that a forgotten pause cannot fill the
 * database: they collect nothing more. What waits is sent once they are enabled and resumed, within the time of
 * retention. Listeners are always paused; their command enables them again.
 */
export async function disableLongPauses(
  { store, pausedDeliveriesMax, logger }: LongPausesDeps,
  signal: AbortSignal,
): Promise<void> {
  let afterId: string | undefined = '';
  while (afterId !== undefined && !signal.aborted) {
    const paused = await store.findPaused(afterId, pausedDeliveriesMax);
    const webhookIds = paused.filter(({ isFull }) => isFull).map(({ id }) => id);
    if (webhookIds.length > 0) {
      await store.disable(webhookIds);
      logger.warn({ webhookIds }, 'paused webhooks disabled: too many deliveries wait');
    }
    afterId = paused.at(-1)?.id;
  }
}
