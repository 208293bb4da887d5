import { type Sql, sqlOf, TRANSACTION_LIMITS } from '@atrium/service-kit/database';
import type { Prisma, PrismaClient } from './generated/client.ts';

export type { PrismaClient };

/** Typed queries inside a transaction. */
export type Tx = Prisma.TransactionClient;

/** Runs `work` in one transaction, with typed queries and raw SQL on the same connection. */
export function transaction<T>(
  prisma: PrismaClient,
  work: (tx: Tx, sql: Sql) => Promise<T>,
): Promise<T> {
  return prisma.$transaction((tx) => work(tx, sqlOf(tx)), TRANSACTION_LIMITS);
}
