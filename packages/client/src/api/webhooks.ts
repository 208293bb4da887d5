import type { List } from '../http/list.ts';
import type { Routes } from '../http/routes.ts';
import type { CallOptions } from '../http/send.ts';
import type {
  AccountDeliveriesQuery,
  ChangeSubscriptionBody,
  CreateListenerBody,
  CreateSubscriptionBody,
  CreatedSubscription,
  DeliveriesQuery,
  Delivery,
  DeliveryDetail,
  DeliveryStatistics,
  DeliveryStream,
  DeliveryStreamQuery,
  EventTrace,
  EventType,
  ForwardedBody,
  LeasedDeliveries,
  ListQuery,
  ProcessResponse,
  QueuedDelivery,
  RecoverBody,
  Recovery,
  RotateSecretBody,
  RotatedSecret,
  StatisticsQuery,
  Subscription,
  TestEventBody,
} from '../types.ts';
import type { CreateOptions } from './options.ts';

/** Webhook subscriptions and their deliveries. */
export interface WebhooksApi {
  /**
   * Subscribes an endpoint to events. The secret is shown once: store it.
   * @example
   * const { secret } = await atrium.webhooks.createWebhook({
   *   url: 'https://example.com/hooks/atrium',
   *   events: ['note.shared'],
   * });
   */
  createWebhook: (
    body: CreateSubscriptionBody,
    options?: CreateOptions,
  ) => Promise<CreatedSubscription>;
  /**
   * Lists the subscriptions.
   * @example
   * for await (const { url, enabled } of atrium.webhooks.listWebhooks()) console.log(url, enabled);
   */
  listWebhooks: (query?: ListQuery, options?: CallOptions) => List<Subscription>;
  /**
   * Returns a subscription.
   * @example
   * const { failingSince } = await atrium.webhooks.getWebhook('whk_…');
   */
  getWebhook: (id: string, options?: CallOptions) => Promise<Subscription>;
  /**
   * Changes a subscription.
   * @example
   * await atrium.webhooks.updateWebhook('whk_…', { events: ['go.click'], rateLimitPerSecond: 50 });
   */
  updateWebhook: (
    id: string,
    body: ChangeSubscriptionBody,
    options?: CallOptions,
  ) => Promise<Subscription>;
  /**
   * Deletes a subscription.
   * @example
   * await atrium.webhooks.deleteWebhook('whk_…');
   */
  deleteWebhook: (id: string, options?: CallOptions) => Promise<void>;
  /**
   * Holds deliveries back; events are kept.
   * @example
   * await atrium.webhooks.pauseWebhook('whk_…');
   */
  pauseWebhook: (id: string, options?: CallOptions) => Promise<Subscription>;
  /**
   * Sends again, with what was held back.
   * @example
   * await atrium.webhooks.resumeWebhook('whk_…');
   */
  resumeWebhook: (id: string, options?: CallOptions) => Promise<Subscription>;
  /**
   * Replaces the secret; the previous one is used too for a day.
   * @example
   * const { secret } = await atrium.webhooks.rotateWebhookSecret('whk_…');
   */
  rotateWebhookSecret: (
    id: string,
    body?: RotateSecretBody,
    options?: CreateOptions,
  ) => Promise<RotatedSecret>;
  /**
   * Sends an example of an event.
   * @example
   * const { deliveryId } = await atrium.webhooks.sendTestEvent('whk_…', { event: 'go.click' });
   */
  sendTestEvent: (
    id: string,
    body: TestEventBody,
    options?: CreateOptions,
  ) => Promise<QueuedDelivery>;
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
   * Sends a delivery again.
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
  /**
   * Lists the events that a subscription can name; needs no session.
   * @example
   * for await (const { name, description } of atrium.webhooks.listEventTypes()) {
   *   console.log(name, description);
   * }
   */
  listEventTypes: (query?: Record<never, never>, options?: CallOptions) => List<EventType>;
  /**
   * Returns an event with the schema of its data; needs no session.
   * @example
   * const { schema, example } = await atrium.webhooks.getEventType('note.shared');
   */
  getEventType: (name: string, options?: CallOptions) => Promise<EventType>;
  /**
   * Creates a subscription whose deliveries this program fetches, as `atrium listen` does.
   * @example
   * const { id, secret } = await atrium.webhooks.createListener({
   *   forwardTo: 'http://localhost:3000/hook',
   *   events: ['note.shared'],
   * });
   */
  createListener: (
    body: CreateListenerBody,
    options?: CreateOptions,
  ) => Promise<CreatedSubscription>;
  /**
   * Fetches signed deliveries of a listener, which are left to the caller for 30 seconds.
   * @example
   * const { deliveries } = await atrium.webhooks.leaseDeliveries('whk_…');
   */
  leaseDeliveries: (id: string, options?: CallOptions) => Promise<LeasedDeliveries>;
  /**
   * Reports what the receiver of a fetched delivery answered.
   * @example
   * await atrium.webhooks.reportForwarded('dlv_…', { leaseId: '…', durationMs: 12, status: 204 });
   */
  reportForwarded: (id: string, body: ForwardedBody, options?: CallOptions) => Promise<void>;
  /**
   * For operators, with the cron secret: takes up every due delivery now.
   * @example
   * const headers = { 'x-cron-secret': cronSecret };
   * const { enqueued } = await atrium.webhooks.processDueDeliveries({ headers });
   */
  processDueDeliveries: (options: CallOptions) => Promise<ProcessResponse>;
}

export const WEBHOOKS_ROUTES: Routes<WebhooksApi> = {
  createWebhook: 'POST /api/webhooks body create',
  listWebhooks: 'GET /api/webhooks list',
  getWebhook: 'GET /api/webhooks/{id}',
  updateWebhook: 'PATCH /api/webhooks/{id} body',
  deleteWebhook: 'DELETE /api/webhooks/{id}',
  pauseWebhook: 'POST /api/webhooks/{id}/pause twice',
  resumeWebhook: 'POST /api/webhooks/{id}/resume twice',
  rotateWebhookSecret: 'POST /api/webhooks/{id}/rotate-secret body create',
  sendTestEvent: 'POST /api/webhooks/{id}/test body create',
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
  listEventTypes: 'GET /api/event-types list public',
  getEventType: 'GET /api/event-types/{name} public',
  createListener: 'POST /api/listeners body create',
  leaseDeliveries: 'POST /api/listeners/{id}/lease twice',
  reportForwarded: 'POST /api/deliveries/{id}/forwarded body',
  processDueDeliveries: 'POST /api/internal/webhooks/process public twice',
};
