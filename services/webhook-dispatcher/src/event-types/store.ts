import { namespaceOf } from '@atrium/contracts/event-names';
import {
  EVENT_TYPES_MAX,
  NAMESPACES_MAX,
  type PutEventTypeBody,
} from '@atrium/contracts/webhooks/publishing';
import type { Queries, Tx } from '../database.ts';
import type { Prisma } from '../generated/client.ts';
import { objectOf, type Schema } from './schema.ts';

/** An event type of a product, as it is now. */
export interface ProductEventType {
  name: string;
  description: string;
  example: Schema;
  /** As its owner wrote it. */
  schema: Schema;
  version: number;
  isArchived: boolean;
  namespace: { accountId: string; trustedApplicationId: string | null };
}

/** What publishing an event needs to know of its type. */
export interface OwnEventType extends Pick<
  ProductEventType,
  'name' | 'version' | 'isArchived' | 'namespace'
> {
  /** Its JSON: parsed, that of many types would take too much memory. */
  schema: string;
}

const NAMESPACE = { select: { accountId: true, trustedApplicationId: true } } as const;
const CURRENT = {
  name: true,
  description: true,
  example: true,
  version: true,
  archivedAt: true,
  namespace: NAMESPACE,
  versions: { orderBy: { version: 'desc' }, take: 1, select: { schema: true } },
} as const;

/** An account sees its own, and those of which every account may receive events. */
const visibleTo = (accountId: string | null) => ({
  OR: [
    { namespace: { trustedApplicationId: { not: null } } },
    ...(accountId === null ? [] : [{ namespace: { accountId } }]),
  ],
});

function toEventType({
  example,
  archivedAt,
  versions,
  ...row
}: Omit<ProductEventType, 'example' | 'schema' | 'isArchived'> & {
  example: unknown;
  archivedAt: Date | null;
  versions: { schema: unknown }[];
}): ProductEventType {
  return {
    ...row,
    example: objectOf(example),
    schema: objectOf(versions[0]?.schema),
    isArchived: archivedAt !== null,
  };
}

/** By name; at most as many as `limit`, of one product or, when it is null, of all. */
export async function listEventTypes(
  queries: Queries,
  page: { accountId: string | null; after: string; limit: number; namespace: string | null },
): Promise<ProductEventType[]> {
  const { accountId, after, limit, namespace } = page;
  const rows = await queries.prisma.eventType.findMany({
    where: {
      name: { gt: after },
      ...visibleTo(accountId),
      ...(namespace !== null && { namespaceName: namespace }),
    },
    orderBy: { name: 'asc' },
    take: limit,
    select: CURRENT,
  });
  return rows.map(toEventType);
}

/** One that the account sees. */
export async function findEventType(
  queries: Queries,
  { name, accountId }: { name: string; accountId: string | null },
): Promise<ProductEventType | undefined> {
  const where = { name, ...visibleTo(accountId) };
  const row = await queries.prisma.eventType.findFirst({ where, select: CURRENT });
  return row === null ? undefined : toEventType(row);
}

// Raw: one statement instead of three, on the measured path of publishing.
const FIND_OWN = `
  SELECT t.name, t.version, t.archived_at IS NOT NULL AS "isArchived", v.schema::text AS schema,
    json_build_object('accountId', n.account_id, 'trustedApplicationId', n.trusted_application_id) AS namespace
  FROM event_types t
  JOIN namespaces n ON n.name = t.namespace AND n.account_id = $2
  JOIN event_type_versions v ON v.name = t.name AND v.version = t.version
  WHERE t.name = ANY($1::text[])`;

/** The types of these names that the account may publish. */
export function findOwnEventTypes(
  queries: Queries,
  { names, accountId }: { names: readonly string[]; accountId: string },
): Promise<OwnEventType[]> {
  return queries.query<OwnEventType>(FIND_OWN, [names, accountId]);
}

/** Whether any event type that the account sees is below this part of a name. */
export async function hasEventTypesBelow(
  queries: Queries,
  { prefix, accountId }: { prefix: string; accountId: string },
): Promise<boolean> {
  const where = { name: { startsWith: `${prefix}.` }, ...visibleTo(accountId) };
  return (await queries.prisma.eventType.findFirst({ where, select: { name: true } })) !== null;
}

export type LockResult =
  | { kind: 'locked'; current: OwnEventType | undefined }
  /** The namespace belongs to somebody else. */
  | { kind: 'taken' }
  | { kind: 'full'; why: string };

/**
 * Takes the namespace of the name for the account, unless it is taken, and keeps others from changing its event
 * types until the transaction ends.
 */
export async function lockNamespace(
  tx: Tx,
  { name, accountId }: { name: string; accountId: string },
): Promise<LockResult> {
  const namespace = namespaceOf(name);
  // Raw: an advisory lock. Of two that take the same namespace, one waits for the other.
  await tx.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 1))', [namespace]);
  await tx.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 1))', [accountId]);
  const found = await tx.prisma.namespace.findUnique({ where: { name: namespace } });
  if (found !== null && found.accountId !== accountId) return { kind: 'taken' };
  const isFull =
    found === null
      ? (await tx.prisma.namespace.count({ where: { accountId } })) >= NAMESPACES_MAX
      : false;
  if (isFull) {
    return { kind: 'full', why: `An account has at most ${NAMESPACES_MAX} first parts of names` };
  }
  if (found === null) await tx.prisma.namespace.create({ data: { name: namespace, accountId } });
  const [current] = await findOwnEventTypes(tx, { names: [name], accountId });
  const count = await tx.prisma.eventType.count({ where: { namespaceName: namespace } });
  if (current === undefined && count >= EVENT_TYPES_MAX) {
    const why = `${namespace} has at most ${EVENT_TYPES_MAX} event types, with those that are archived`;
    return { kind: 'full', why };
  }
  return { kind: 'locked', current };
}

// Raw: Prisma knows no size of a column.
const COUNT_BYTES = `
  SELECT coalesce(sum(greatest(1000, part.bytes)), 0)::int AS bytes
  FROM namespaces n
  JOIN event_types t ON t.namespace = n.name
  CROSS JOIN LATERAL (
    SELECT pg_column_size(t.example) AS bytes
    UNION ALL
    SELECT pg_column_size(v.schema) FROM event_type_versions v WHERE v.name = t.name
  ) part
  WHERE n.account_id = $1`;

/** How much the schemas and examples of the account's event types take, as they are stored. */
export async function countBytes(queries: Queries, accountId: string): Promise<number> {
  const [row] = await queries.query<{ bytes: number }>(COUNT_BYTES, [accountId]);
  return row?.bytes ?? 0;
}

/** Writes what an event type is, and the schema of this version. */
export async function writeEventType(
  tx: Tx,
  {
    name,
    version,
    body: { description, example, schema = { type: 'object' } },
  }: { name: string; version: number; body: PutEventTypeBody },
): Promise<ProductEventType> {
  const now = new Date();
  const data = {
    description,
    example: example as Prisma.InputJsonObject,
    version,
    archivedAt: null,
    updatedAt: now,
  };
  await tx.prisma.eventType.upsert({
    where: { name },
    create: { name, namespaceName: namespaceOf(name), ...data },
    update: data,
  });
  const row = { schema: schema as Prisma.InputJsonObject };
  await tx.prisma.eventTypeVersion.upsert({
    where: { name_version: { name, version } },
    create: { name, version, ...row },
    update: row,
  });
  const where = { name };
  return toEventType(await tx.prisma.eventType.findUniqueOrThrow({ where, select: CURRENT }));
}

/** @returns whether the account has it */
export async function archiveEventType(
  queries: Queries,
  { name, accountId, now }: { name: string; accountId: string; now: Date },
): Promise<boolean> {
  const { count } = await queries.prisma.eventType.updateMany({
    where: { name, namespace: { accountId } },
    data: { archivedAt: now },
  });
  return count > 0;
}

/** The newest first; there are at most as many as changes are allowed in the life of a type. */
export async function listVersions(queries: Queries, name: string) {
  return queries.prisma.eventTypeVersion.findMany({
    where: { name },
    orderBy: { version: 'desc' },
    take: 100,
    select: { version: true, schema: true, createdAt: true },
  });
}
