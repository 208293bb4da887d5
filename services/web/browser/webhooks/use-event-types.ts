import type { EventType } from '@atrium/client';
import { EVENT_NAMES, namespaceOf } from '@atrium/contracts/event-names';
import { useQuery } from '@tanstack/react-query';
import { atrium } from '../session/atrium.ts';
import { queryKeys } from '../session/query-keys.ts';

const SHOWN_MAX = 100;
const own: readonly string[] = EVENT_NAMES;

/** The event types of products that the account can receive; none while they are not loaded. */
export function useProductEventTypes(): EventType[] {
  const { data = [] } = useQuery({
    queryKey: queryKeys.webhooks.eventTypes,
    queryFn: async ({ signal }) => {
      const { data: all } = await atrium.webhooks.listEventTypes({ limit: SHOWN_MAX }, { signal });
      return all.filter(({ name, isArchived }) => !isArchived && !own.includes(name));
    },
  });
  return data;
}

/** The products, each with its event types. */
export function byProduct(types: readonly EventType[]): Map<string, EventType[]> {
  return Map.groupBy(types, ({ name }) => namespaceOf(name));
}
