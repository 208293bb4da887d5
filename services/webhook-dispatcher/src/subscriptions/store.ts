import type { EventName } from '@atrium/contracts/events';
import { newId } from '@atrium/contracts/ids';
import type { ListQuery } from '@atrium/contracts/lists';
import type { Subscription } from '@atrium/contracts/webhooks';
import { decodeCursor, toPage } from '@atrium/service-kit/pagination';
import type { PrismaClient, Subscription as SubscriptionRow } from '../generated/client.ts';
import type { KeyRing } from '@atrium/service-kit/key-ring';

export interface SubscriptionChange {
  url?: string;
  events?: EventName[];
  enabled?: boolean;
}

/** Every look-up names the owner: somebody else's subscription is one that is not there. */
export interface SubscriptionStore {
  create(
    accountId: string,
    wish: { url: string; events: EventName[]; secret: string },
  ): Promise<Subscription>;
  list(
    accountId: string,
    query: ListQuery,
  ): Promise<{ data: Subscription[]; nextCursor: string | null }>;
  findOwned(id: string, accountId: string): Promise<Subscription | undefined>;
  /** `resumed` tells that deliveries which had been put aside are due again. */
  change(
    id: string,
    accountId: string,
    change: SubscriptionChange,
  ): Promise<{ subscription: Subscription; resumed: number } | undefined>;
  /** Its deliveries go with it. */
  remove(id: string, accountId: string): Promise<boolean>;
}

export interface SubscriptionStoreDeps {
  prisma: PrismaClient;
  keyRing: KeyRing;
  clockMs: () => number;
}

export function createSubscriptionStore(deps: SubscriptionStoreDeps): SubscriptionStore {
  const { prisma, keyRing, clockMs } = deps;
  return {
    async create(accountId, { url, events, secret }) {
      const id = newId('whk', clockMs());
      const sealedSecret = keyRing.encrypt(secret, id);
      const row = await prisma.subscription.create({
        data: { id, accountId, url, events, sealedSecret },
      });
      return toSubscription(row);
    },

    async list(accountId, { limit, cursor }) {
      const before = cursor === undefined ? undefined : decodeCursor(cursor, 1)[0];
      const rows = await prisma.subscription.findMany({
        where: { accountId, ...(before === undefined ? {} : { id: { lt: String(before) } }) },
        orderBy: { id: 'desc' },
        take: limit + 1,
      });
      return toPage(rows.map(toSubscription), limit, ({ id }) => [id]);
    },

    async findOwned(id, accountId) {
      const row = await prisma.subscription.findFirst({ where: { id, accountId } });
      return row === null ? undefined : toSubscription(row);
    },

    change(id, accountId, { url, events, enabled }) {
      return prisma.$transaction(async (tx) => {
        const [row] = await tx.subscription.updateManyAndReturn({
          where: { id, accountId },
          data: {
            ...(url === undefined ? {} : { url }),
            ...(events === undefined ? {} : { events }),
            ...(enabled === undefined ? {} : { enabled, disabledReason: null }),
            updatedAt: new Date(clockMs()),
          },
        });
        if (row === undefined) return undefined;
        const resumed =
          enabled === true
            ? await tx.$executeRaw`UPDATE deliveries SET available_at = now(), lease_id = NULL
                WHERE subscription_id = ${id} AND lease_id = 'parked'`
            : 0;
        return { subscription: toSubscription(row), resumed };
      });
    },

    async remove(id, accountId) {
      const { count } = await prisma.subscription.deleteMany({ where: { id, accountId } });
      return count > 0;
    },
  };
}

function toSubscription(row: SubscriptionRow): Subscription {
  return {
    id: row.id,
    url: row.url,
    events: row.events as EventName[],
    enabled: row.enabled,
    disabledReason: row.disabledReason,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}
