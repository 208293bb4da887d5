import { DISABLED_REASONS } from '@atrium/contracts/webhooks/disabled-reasons';
import type { Database } from '../database.ts';
import { disableSubscriptions } from '../subscriptions/disable-store.ts';

const FIVE_DAYS_MS = 5 * 86_400_000;

export interface GoneEndpoint {
  /** The id of its subscription. */
  id: string;
  /** The URL that answered. */
  url: string;
}

export interface EndpointFailuresStore {
  /** Stores the present as the time since when these fail, unless they already fail. */
  markFailing(subscriptionIds: string[]): Promise<void>;
  markRecovered(subscriptionIds: string[]): Promise<void>;
  /**
   * Disables those that are enabled and has an email sent to their owners: both or neither. A subscription whose URL
   * was changed since the request is left alone.
   */
  disableGone(endpoints: GoneEndpoint[]): Promise<void>;
  /** The same for those that have failed for all of the last five days. */
  disableAfterFiveDays(subscriptionIds: string[]): Promise<void>;
}

// Raw: by the clock of Postgres.
const MARK_FAILING = `
  UPDATE subscriptions SET failing_since = now() WHERE id = ANY ($1) AND failing_since IS NULL`;

export function createEndpointFailuresStore(database: Database): EndpointFailuresStore {
  return {
    async markFailing(ids) {
      await database.query(MARK_FAILING, [ids]);
    },
    async markRecovered(ids) {
      await database.prisma.subscription.updateMany({
        where: { id: { in: ids }, failingSince: { not: null } },
        data: { failingSince: null },
      });
    },
    disableGone(endpoints) {
      const ids = endpoints.map(({ id }) => id);
      return disableSubscriptions(database, ids, DISABLED_REASONS.gone, () => ({ OR: endpoints }));
    },
    disableAfterFiveDays: (ids) =>
      disableSubscriptions(database, ids, DISABLED_REASONS.failing, (now) => ({
        failingSince: { lt: new Date(now.getTime() - FIVE_DAYS_MS) },
      })),
  };
}
