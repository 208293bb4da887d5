import type { List } from '../http/list.ts';
import type { Routes } from '../http/routes.ts';
import type { CallOptions } from '../http/send.ts';
import type {
  ChangeSubscriptionBody,
  CreateListenerBody,
  CreateSubscriptionBody,
  CreatedSubscription,
  FilterPreview,
  FilterPreviewBody,
  ForwardedBody,
  LeasedDeliveries,
  ListQuery,
  ProcessResponse,
  QueuedDelivery,
  WebhooksHealth,
  RotateSecretBody,
  RotatedSecret,
  Subscription,
  TestEventBody,
} from '../types.ts';
import { DELIVERIES_ROUTES, type DeliveriesApi } from './deliveries.ts';
import type { CreateOptions } from './options.ts';
import { PUBLISHING_ROUTES, type PublishingApi } from './publishing.ts';

/** Webhook subscriptions and their deliveries. */
export interface WebhooksApi extends DeliveriesApi, PublishingApi {
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
   * Takes back a deletion of the last minutes.
   * @example
   * await atrium.webhooks.restoreWebhook('whk_…');
   */
  restoreWebhook: (id: string, options?: CallOptions) => Promise<Subscription>;
  /**
   * Returns how the endpoints of all webhooks do: whether they are given a rest, what waits, the last answer.
   * @example
   * const { data } = await atrium.webhooks.getWebhooksHealth();
   */
  getWebhooksHealth: (options?: CallOptions) => Promise<WebhooksHealth>;
  /**
   * Sends what waits for another attempt now.
   * @example
   * const { deliveryId } = await atrium.webhooks.tryWebhookNow('whk_…');
   */
  tryWebhookNow: (id: string, options?: CallOptions) => Promise<QueuedDelivery>;
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
   * Tries a filter against the last events that a subscription asks for.
   * @example
   * const filter = { 'data.title': { $startsWith: 'Release' } };
   * const { matching, data } = await atrium.webhooks.previewWebhookFilter('whk_…', { filter });
   */
  previewWebhookFilter: (
    id: string,
    body: FilterPreviewBody,
    options?: CallOptions,
  ) => Promise<FilterPreview>;
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
  ...DELIVERIES_ROUTES,
  ...PUBLISHING_ROUTES,
  createWebhook: 'POST /api/webhooks body create',
  listWebhooks: 'GET /api/webhooks list',
  getWebhook: 'GET /api/webhooks/{id}',
  updateWebhook: 'PATCH /api/webhooks/{id} body',
  deleteWebhook: 'DELETE /api/webhooks/{id}',
  restoreWebhook: 'POST /api/webhooks/{id}/restore twice',
  getWebhooksHealth: 'GET /api/webhooks/health',
  tryWebhookNow: 'POST /api/webhooks/{id}/try-now',
  pauseWebhook: 'POST /api/webhooks/{id}/pause twice',
  resumeWebhook: 'POST /api/webhooks/{id}/resume twice',
  rotateWebhookSecret: 'POST /api/webhooks/{id}/rotate-secret body create',
  sendTestEvent: 'POST /api/webhooks/{id}/test body create',
  previewWebhookFilter: 'POST /api/webhooks/{id}/filter-preview body twice',
  createListener: 'POST /api/listeners body create',
  leaseDeliveries: 'POST /api/listeners/{id}/lease twice',
  reportForwarded: 'POST /api/deliveries/{id}/forwarded body',
  processDueDeliveries: 'POST /api/internal/webhooks/process public twice',
};
