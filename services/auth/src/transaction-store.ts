import { prismaTransaction, type Sql, sqlOf } from '@atrium/service-kit/database';
import type { Prisma, PrismaClient } from './generated/client.ts';

export type { PrismaClient };

/** Typed queries inside a transaction. */
export type Tx = Prisma.TransactionClient;

/**
 * Runs `work` in one transaction, with typed queries and raw SQL on the same connection. It runs a second time
 * when the transaction lost against another one, so it has no effect but that of its statements.
 */
export function transaction<T>(
  prisma: PrismaClient,
  work: (tx: Tx, sql: Sql) => Promise<T>,
): Promise<T> {
  return prismaTransaction(prisma, (tx) => work(tx, sqlOf(tx)));
}
