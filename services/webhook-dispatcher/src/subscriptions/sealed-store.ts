import type { Database } from '../database.ts';

/** The encrypted texts of a subscription. */
export interface SealedTexts {
  sealedSecret: string;
  previousSealedSecret: string | null;
  sealedHeaders: string | null;
  sealedDestination: string | null;
}

export interface SealedRow extends SealedTexts {
  id: string;
}

export interface SealedStore {
  /** The subscriptions after this id, in the order of their ids; deleted ones too. */
  read(after: string, limit: number): Promise<SealedRow[]>;
  /** Writes the texts unless they changed since they were read; returns whether it did. */
  replace(from: SealedRow, to: SealedTexts): Promise<boolean>;
}

export function createSealedStore(database: Database): SealedStore {
  return {
    read: (after, limit) =>
      database.prisma.subscription.findMany({
        where: { id: { gt: after } },
        orderBy: { id: 'asc' },
        take: limit,
        select: {
          id: true,
          sealedSecret: true,
          previousSealedSecret: true,
          sealedHeaders: true,
          sealedDestination: true,
        },
      }),
    async replace(from, to) {
      const { count } = await database.prisma.subscription.updateMany({ where: from, data: to });
      return count > 0;
    },
  };
}
