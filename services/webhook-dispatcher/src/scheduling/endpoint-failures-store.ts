import { INBOX } from '@atrium/contracts/queues';
import { appendMessage } from '@atrium/events/outbox';
import type { Database, Sql } from '@atrium/service-kit/database';

const FIVE_DAYS_REASON = 'Every delivery failed for five days';

export interface HealthStore {
  /** Notes that these endpoints began to fail, unless they already were failing. */
  startedFailing(subscriptionIds: readonly string[]): Promise<void>;
  recovered(subscriptionIds: readonly string[]): Promise<void>;
  /** Disables an enabled subscription and sends its owner a mail: both or neither. */
  disable(subscriptionId: string, reason: string): Promise<void>;
  /** The same for those of them that have failed for all of the last five days. */
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

/** What is kept about how endpoints answer. */
export function createHealthStore(database: Database): HealthStore {
  async function disableAndTell(tx: Sql, condition: string, values: unknown[]): Promise<void> {
    const rows = await tx.query<Disabled>(`${DISABLE} ${condition} ${RETURNING}`, values);
    for (const { id, accountId, url, reason } of rows) {
      const data = { webhookId: id, url, reason };
      await appendMessage(tx, { queue: INBOX.auth, kind: 'webhook.disabled', accountId, data });
    }
  }
  return {
    async startedFailing(subscriptionIds) {
      await database.query(
        `UPDATE subscriptions SET failing_since = now()
         WHERE id = ANY($1::text[]) AND failing_since IS NULL`,
        [subscriptionIds],
      );
    },
    async recovered(subscriptionIds) {
      await database.query(
        `UPDATE subscriptions SET failing_since = NULL
         WHERE id = ANY($1::text[]) AND failing_since IS NOT NULL`,
        [subscriptionIds],
      );
    },
    disable: (subscriptionId, reason) =>
      database.transaction((tx) => disableAndTell(tx, '', [[subscriptionId], reason])),
    disableAfterFiveDays: (subscriptionIds) =>
      database.transaction((tx) =>
        disableAndTell(tx, `AND failing_since < now() - interval '5 days'`, [
          subscriptionIds,
          FIVE_DAYS_REASON,
        ]),
      ),
  };
}
