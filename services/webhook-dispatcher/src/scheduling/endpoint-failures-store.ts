import { INBOX } from '@atrium/contracts/queues';
import { appendMessage } from '@atrium/events/outbox';
import type { Database, Sql } from '@atrium/service-kit/database';

const FIVE_DAYS_REASON = 'Every delivery failed for five days';

export interface EndpointFailuresStore {
  /** Stores the present as the time since when these fail, unless they already fail. */
  markFailing(subscriptionIds: readonly string[]): Promise<void>;
  markRecovered(subscriptionIds: readonly string[]): Promise<void>;
  /** Disables those that are enabled and sends their owners an email, both or neither. */
  disable(subscriptionIds: readonly string[], reason: string): Promise<void>;
  /** The same for those that have failed for all of the last five days. */
  disableAfterFiveDays(subscriptionIds: readonly string[]): Promise<void>;
}

interface Disabled {
  id: string;
  accountId: string;
  url: string;
  reason: string;
}

const DISABLE = `
  UPDATE subscriptions SET enabled = false, disabled_reason = $2, updated_at = now()
  WHERE id = ANY($1::text[]) AND enabled AND deleted_at IS NULL`;
const RETURNING = `
  RETURNING id, account_id AS "accountId", url, disabled_reason AS reason`;

export function createEndpointFailuresStore(database: Database): EndpointFailuresStore {
  async function disableAndNotify(tx: Sql, condition: string, values: unknown[]): Promise<void> {
    const rows = await tx.query<Disabled>(`${DISABLE} ${condition} ${RETURNING}`, values);
    for (const { id, accountId, url, reason } of rows) {
      const data = { webhookId: id, url, reason };
      await appendMessage(tx, { queue: INBOX.auth, kind: 'webhook.disabled', accountId, data });
    }
  }
  return {
    async markFailing(subscriptionIds) {
      await database.query(
        `UPDATE subscriptions SET failing_since = now()
         WHERE id = ANY($1::text[]) AND failing_since IS NULL`,
        [subscriptionIds],
      );
    },
    async markRecovered(subscriptionIds) {
      await database.query(
        `UPDATE subscriptions SET failing_since = NULL
         WHERE id = ANY($1::text[]) AND failing_since IS NOT NULL`,
        [subscriptionIds],
      );
    },
    disable: (subscriptionIds, reason) =>
      database.transaction((tx) => disableAndNotify(tx, '', [subscriptionIds, reason])),
    disableAfterFiveDays: (subscriptionIds) =>
      database.transaction((tx) =>
        disableAndNotify(tx, `AND failing_since < now() - interval '5 days'`, [
          subscriptionIds,
          FIVE_DAYS_REASON,
        ]),
      ),
  };
}
