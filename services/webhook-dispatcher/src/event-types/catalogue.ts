import { EVENT_NAMES, RESERVED_NAMESPACES, namespaceOf } from '@atrium/contracts/event-names';
import { EVENT_CATALOGUE, type EventType } from '@atrium/contracts/webhooks/event-catalogue';
import { HttpError } from '@atrium/service-kit/http-error';
import type { Queries } from '../database.ts';
import { findEventType, hasEventTypesBelow, type ProductEventType } from './store.ts';

/** The event types of Atrium itself; they change with a release only. */
export const OWN_EVENT_TYPES: readonly EventType[] = EVENT_NAMES.map((name) => ({
  name,
  ...EVENT_CATALOGUE[name],
  schema: { ...EVENT_CATALOGUE[name].schema },
  version: 1,
  isArchived: false,
}));

export const representEventType = ({
  namespace: _namespace,
  ...type
}: ProductEventType): EventType => type;

export const isReserved = (name: string): boolean => RESERVED_NAMESPACES.has(namespaceOf(name));

/** An event type that the account sees; null is somebody without one. */
export async function findInCatalogue(
  queries: Queries,
  { name, accountId }: { name: string; accountId: string | null },
): Promise<EventType | undefined> {
  const own = OWN_EVENT_TYPES.find((type) => type.name === name);
  if (own !== undefined) return own;
  const found = await findEventType(queries, { name, accountId });
  return found && representEventType(found);
}

/**
 * Refuses to subscribe to what can never come.
 *
 * @throws HttpError 422
 */
export async function assertPatterns(
  queries: Queries,
  { patterns, accountId }: { patterns: readonly string[]; accountId: string },
): Promise<void> {
  for (const pattern of patterns) {
    if (!(await isKnown(queries, pattern, accountId))) {
      throw new HttpError('event-type-unknown', `There is no event type ${pattern}`);
    }
  }
}

async function isKnown(queries: Queries, pattern: string, accountId: string): Promise<boolean> {
  if (!pattern.endsWith('.*')) {
    return (await findInCatalogue(queries, { name: pattern, accountId })) !== undefined;
  }
  const prefix = pattern.slice(0, -2);
  return (
    OWN_EVENT_TYPES.some(({ name }) => name.startsWith(`${prefix}.`)) ||
    hasEventTypesBelow(queries, { prefix, accountId })
  );
}
