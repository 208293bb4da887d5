import type { List } from '../http/list.ts';
import type { Routes } from '../http/routes.ts';
import type { CallOptions } from '../http/send.ts';
import type {
  EventToPublish,
  EventTypeVersions,
  Published,
  PublishBody,
  PublishedEvent,
  PublishResults,
  PutEventTypeBody,
} from '../publishing-types.ts';
import type { EventType, ListQuery } from '../types.ts';

/** What publishing one event, or several in an array, is answered with. */
export type PublishedAs<Body> = Body extends readonly EventToPublish[]
  ? PublishResults
  : Body extends EventToPublish
    ? PublishedEvent
    : Published;

/** Events that a product publishes itself. */
export interface PublishingApi {
  /**
   * Publishes an event of your product, or up to 500 in an array, which then have a result each. With an id of
   * yours it may be sent again: it is published once. After a lost answer this is done here, if each event has one.
   * @example
   * const order = { type: 'shop.order_paid', id: 'order-1042-paid', data: { orderId: '1042' } };
   * const { id } = await atrium.webhooks.publishEvents(order);
   */
  publishEvents: <Body extends PublishBody>(
    body: PublishBody & Body,
    options?: CallOptions,
  ) => Promise<PublishedAs<Body>>;
  /**
   * Lists the event types that a subscription can name: those of Atrium, then those of products.
   * @example
   * for await (const { name, description } of atrium.webhooks.listEventTypes()) {
   *   console.log(name, description);
   * }
   */
  listEventTypes: (query?: ListQuery, options?: CallOptions) => List<EventType>;
  /**
   * Returns an event type with the schema of its data.
   * @example
   * const { schema, example } = await atrium.webhooks.getEventType('note.shared');
   */
  getEventType: (name: string, options?: CallOptions) => Promise<EventType>;
  /**
   * Registers an event type of your product, or changes it.
   * @example
   * await atrium.webhooks.putEventType('shop.order_paid', {
   *   description: 'A customer has paid an order.',
   *   schema: { type: 'object', properties: { orderId: { type: 'string' } } },
   *   example: { orderId: '1042' },
   * });
   */
  putEventType: (name: string, body: PutEventTypeBody, options?: CallOptions) => Promise<EventType>;
  /**
   * Publishes events of a type no more.
   * @example
   * await atrium.webhooks.archiveEventType('shop.order_paid');
   */
  archiveEventType: (name: string, options?: CallOptions) => Promise<void>;
  /**
   * Lists the schemas that an event type of a product has had, newest first.
   * @example
   * const { data } = await atrium.webhooks.listEventTypeVersions('shop.order_paid');
   */
  listEventTypeVersions: (name: string, options?: CallOptions) => Promise<EventTypeVersions>;
}

export const PUBLISHING_ROUTES: Routes<PublishingApi> = {
  publishEvents: 'POST /api/events body ids',
  listEventTypes: 'GET /api/event-types list optional',
  getEventType: 'GET /api/event-types/{name} optional',
  putEventType: 'PUT /api/event-types/{name} body',
  archiveEventType: 'POST /api/event-types/{name}/archive twice',
  listEventTypeVersions: 'GET /api/event-types/{name}/versions',
};
