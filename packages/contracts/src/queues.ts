import Type, { type Static } from 'typebox';
import { EventEnvelope } from './events.ts';

/** Carries events from the producing services' relays to the webhook worker. */
export const EVENTS_QUEUE = 'events';
/** Carries mails from the auth service's requests to its sender. */
export const EMAIL_QUEUE = 'mail';
/** Carry account messages from any service's relay to one service. */
export const INBOX = {
  auth: 'inbox-auth',
  notes: 'inbox-notes',
  links: 'inbox-links',
  webhooks: 'inbox-webhooks',
} as const;
export type Inbox = (typeof INBOX)[keyof typeof INBOX];
/** A queue that relays fill from the outbox. */
export type OutboxQueue = typeof EVENTS_QUEUE | Inbox;
/** BullMQ key prefix; the braces are a hash tag, so that a queue stays in one Redis Cluster slot. */
export const DEFAULT_QUEUE_PREFIX = '{atrium}';

/** Events per job. */
export const EVENT_BATCH_MAX = 100;

/** Payload of a job on the `events` queue. */
export const EventBatch = Type.Object({
  events: Type.Array(EventEnvelope, { minItems: 1, maxItems: EVENT_BATCH_MAX }),
});
export type EventBatch = Static<typeof EventBatch>;
