import { DISABLED_REASONS } from '@atrium/contracts/webhooks/disabled-reasons';
import type { Database } from '../database.ts';
import { HOLDING } from '../ingestion/held-deliveries-store.ts';
import { disableSubscriptions } from '../subscriptions/disable-store.ts';

export interface SlowWebhooksStore {
  /** Active subscriptions for which so many deliveries are held. */
  findSlow(deliveries: number): Promise<string[]>;
  /** Disables those that are still active and has an email sent to their owners: both or neither. */
  disable(ids: string[]): Promise<void>;
}

// Raw: a skip scan, and a subquery that stops at the limit. Its order keeps the planner to the index.
const FIND_SLOW = `
  WITH RECURSIVE ${HOLDING}
  SELECT s.id FROM holding h JOIN subscriptions s ON s.id = h.subscription_id
  WHERE s.enabled AND NOT s.paused AND s.deleted_at IS NULL AND EXISTS (
    SELECT FROM held_deliveries d WHERE d.subscription_id = s.id
    ORDER BY d.subscription_id, d.event_id OFFSET $1::int - 1 LIMIT 1)`;

export function createSlowWebhooksStore(database: Database): SlowWebhooksStore {
  return {
    async findSlow(deliveries) {
      const rows = await database.query<{ id: string }>(FIND_SLOW, [deliveries]);
      return rows.map(({ id }) => id);
    },
    disable: (ids) =>
      disableSubscriptions(database, ids, DISABLED_REASONS.slow, () => ({ paused: false })),
  };
}
