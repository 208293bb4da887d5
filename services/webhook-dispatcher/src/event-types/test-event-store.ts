import type { EventEnvelope } from '@atrium/contracts/events';
import { newId } from '@atrium/contracts/ids';
import type { Sql } from '@atrium/service-kit/database';

export type TestEventResult =
  | { kind: 'stored'; deliveryId: string }
  | { kind: 'disabled' }
  | { kind: 'missing' };

export interface TestEventStore {
  /** Stores an event with one delivery, to this subscription alone. */
  store(subscriptionId: string, event: EventEnvelope, body: string): Promise<TestEventResult>;
}

// One statement, so one transaction: no worker sees a delivery whose event is not there.
const STORE = `
  WITH receiver AS (
    SELECT id, enabled FROM subscriptions
    WHERE id = $1 AND account_id = $5 AND deleted_at IS NULL
  ), stored_event AS (
    INSERT INTO events (id, event, account_id, body, request_id, created_at)
    SELECT $3, $4, $5, $6, $7, $8::timestamptz FROM receiver WHERE enabled
  ), stored_delivery AS (
    INSERT INTO deliveries (id, event_id, subscription_id, event)
    SELECT $2, $3, id, $4 FROM receiver WHERE enabled
  ), waiting AS (
    INSERT INTO undelivered (subscription_id, delivery_id, event_id)
    SELECT id, $2, $3 FROM receiver WHERE enabled
  )
  SELECT enabled FROM receiver`;

export function createTestEventStore(database: Sql): TestEventStore {
  return {
    async store(subscriptionId, event, body) {
      const deliveryId = newId('dlv', Date.parse(event.createdAt));
      const [receiver] = await database.query<{ enabled: boolean }>(STORE, [
        subscriptionId,
        deliveryId,
        event.id,
        event.event,
        event.accountId,
        body,
        event.requestId ?? null,
        event.createdAt,
      ]);
      if (receiver === undefined) return { kind: 'missing' };
      return receiver.enabled ? { kind: 'stored', deliveryId } : { kind: 'disabled' };
    },
  };
}
