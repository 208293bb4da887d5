import type { List } from '../http/list.ts';
import type { Routes } from '../http/routes.ts';
import type { CallOptions } from '../http/send.ts';
import type {
  AccountDeliveriesQuery,
  DeliveriesQuery,
  Delivery,
  DeliveryDetail,
  DeliveryStatistics,
  DeliveryStream,
  DeliveryStreamQuery,
  EventTrace,
  ListQuery,
  QueuedDelivery,
  RecoverBody,
  Recovery,
  StatisticsQuery,
} from '../types.ts';
import type { CreateOptions } from './options.ts';

/** Deliveries, their attempts, and what is sent again. */
export interface DeliveriesApi {
  /**
   * Lists the deliveries of a subscription, newest first.
   * @example
   * const { data } = await atrium.webhooks.listWebhookDeliveries('whk_…', { state: 'failed' });
   */
  listWebhookDeliveries: (
    id: string,
    query?: DeliveriesQuery,
    options?: CallOptions,
  ) => List<Delivery>;
  /**
   * Lists the deliveries of all subscriptions, newest first.
   * @example
   * const query = { state: 'undelivered' } as const;
   * for await (const { id, state } of atrium.webhooks.listDeliveries(query)) console.log(id, state);
   */
  listDeliveries: (query?: AccountDeliveriesQuery, options?: CallOptions) => List<Delivery>;
  /**
   * Counts the attempts of a subscription by hour or day.
   * @example
   * const { buckets } = await atrium.webhooks.getWebhookStatistics('whk_…', { interval: 'day' });
   */
  getWebhookStatistics: (
    id: string,
    query?: StatisticsQuery,
    options?: CallOptions,
  ) => Promise<DeliveryStatistics>;
  /**
   * Opens the stream of changes; `followDeliveries` of `@atrium/client/deliveries` reads and resumes it.
   * @example
   * const stream = await atrium.webhooks.streamDeliveries({ state: 'failed' });
   */
  streamDeliveries: (query?: DeliveryStreamQuery, options?: CallOptions) => Promise<DeliveryStream>;
  /**
   * Returns a delivery with its body and its attempts.
   * @example
   * const { attempts } = await atrium.webhooks.getDelivery('dlv_…');
   */
  getDelivery: (id: string, options?: CallOptions) => Promise<DeliveryDetail>;
  /**
   * Sends a delivery again now, also one that waits for its next attempt.
   * @example
   * await atrium.webhooks.redeliverDelivery('dlv_…');
   */
  redeliverDelivery: (id: string, options?: CreateOptions) => Promise<QueuedDelivery>;
  /**
   * Sends the exhausted deliveries since a time again.
   * @example
   * const { id } = await atrium.webhooks.startRecovery('whk_…', { since: '2026-01-31T09:30:00Z' });
   */
  startRecovery: (id: string, body: RecoverBody, options?: CreateOptions) => Promise<Recovery>;
  /**
   * Lists the recoveries of a subscription, newest first.
   * @example
   * const { data } = await atrium.webhooks.listRecoveries('whk_…');
   */
  listRecoveries: (id: string, query?: ListQuery, options?: CallOptions) => List<Recovery>;
  /**
   * Returns how far a recovery is.
   * @example
   * const { recovered, completedAt } = await atrium.webhooks.getRecovery('whk_…', 'rcv_…');
   */
  getRecovery: (id: string, recoveryId: string, options?: CallOptions) => Promise<Recovery>;
  /**
   * Returns an event with its cause, data, deliveries and attempts.
   * @example
   * const { cause, deliveries } = await atrium.webhooks.getEvent('evt_…');
   */
  getEvent: (id: string, options?: CallOptions) => Promise<EventTrace>;
}

export const DELIVERIES_ROUTES: Routes<DeliveriesApi> = {
  listWebhookDeliveries: 'GET /api/webhooks/{id}/deliveries list',
  listDeliveries: 'GET /api/deliveries list',
  getWebhookStatistics: 'GET /api/webhooks/{id}/statistics query',
  streamDeliveries: 'GET /api/deliveries/stream query stream',
  getEvent: 'GET /api/events/{id}',
  getDelivery: 'GET /api/deliveries/{id}',
  redeliverDelivery: 'POST /api/deliveries/{id}/redeliver create',
  startRecovery: 'POST /api/webhooks/{id}/recover body create',
  listRecoveries: 'GET /api/webhooks/{id}/recoveries list',
  getRecovery: 'GET /api/webhooks/{id}/recoveries/{recoveryId}',
};
