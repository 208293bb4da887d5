import type { Prisma } from './generated/client.ts';

/** Typed queries inside a transaction; `sqlOf` makes raw SQL of it. */
export type Tx = Prisma.TransactionClient;
