import type { Database as ServiceDatabase, Transaction } from '@atrium/service-kit/database';
import type { Idempotency as ServiceIdempotency } from '@atrium/service-kit/idempotency';
import type { ReadReplica as ServiceReplica } from '@atrium/service-kit/read-replica';
import type { PrismaPg } from '@prisma/adapter-pg';
import { PrismaClient } from './generated/client.ts';

export type Database = ServiceDatabase<PrismaClient>;
export type Tx = Transaction<PrismaClient>;
export type ReadReplica = ServiceReplica<PrismaClient>;
/** What reads on the primary, within a transaction or not, and on the standby. */
export type Queries = Pick<Database, 'prisma' | 'query'>;
export type Idempotency = ServiceIdempotency<PrismaClient>;

export const createPrisma = (adapter: PrismaPg) => new PrismaClient({ adapter });
