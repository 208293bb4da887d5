import type { Database as ServiceDatabase, Transaction } from '@atrium/service-kit/database';
import type { PrismaPg } from '@prisma/adapter-pg';
import { PrismaClient } from './generated/client.ts';

export type Database = ServiceDatabase<PrismaClient>;
export type Tx = Transaction<PrismaClient>;
/** In a transaction or outside of one. */
export type Queries = Pick<Tx, 'prisma' | 'query'>;

export const createPrisma = (adapter: PrismaPg) => new PrismaClient({ adapter });
