import type { EventType } from '@atrium/client';
import { EVENT_NAMES, namespaceOf } from '@atrium/contracts/event-names';
import { useQuery } from '@tanstack/react-query';
import { atrium } from '../session/atrium.ts';
import { queryKeys } from '../session/query-keys.ts';

const PAGE_SIZE = 100;
const own: readonly string[] = EVENT_NAMES;

/** The event types of products that the account can receive; none while they are not loaded. */
export function useProductEventTypes(): EventType[] {
  const { data = [] } = useQuery({
    queryKey: queryKeys.webhooks.eventTypes,
    queryFn: async ({ signal }) => {
      const types: EventType[] = [];
      for await (const type of atrium.webhooks.listEventTypes({ limit: PAGE_SIZE }, { signal })) {
        if (!type.isArchived && !own.includes(type.name)) types.push(type);
      }
      return types;
    },
  });
  return data;
}

/** The products, each with its event types. */
export function byProduct(types: readonly EventType[]): Map<string, EventType[]> {
  return Map.groupBy(types, ({ name }) => namespaceOf(name));
}
