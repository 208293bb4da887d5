import type { PublicUser } from '@atrium/client';
import { useQuery } from '@tanstack/react-query';
import { atrium } from '../../session/atrium.ts';
import { queryKeys } from '../../session/query-keys.ts';

/** As many as the service tells about at once. */
const PEOPLE_MAX = 100;

export type People = ReadonlyMap<string, PublicUser> | undefined;

/** What to show of an account; `unknown` is the name of one that is not loaded or no longer exists. */
export function personOf(people: People, id: string | null, unknown: string) {
  return people?.get(id ?? '') ?? { name: unknown, avatar: null };
}

/** Names and pictures of accounts by their ids; undefined until they are loaded. */
export function usePeople(ids: readonly string[]): People {
  const asked = [...new Set(ids)].toSorted();
  const { data } = useQuery({
    queryKey: queryKeys.account.people(asked),
    queryFn: async ({ signal }) => {
      const people = new Map<string, PublicUser>();
      for (let from = 0; from < asked.length; from += PEOPLE_MAX) {
        const batch = asked.slice(from, from + PEOPLE_MAX).join(',');
        const { data: found } = await atrium.auth.getUsers({ ids: batch }, { signal });
        for (const person of found) people.set(person.id, person);
      }
      return people;
    },
    enabled: asked.length > 0,
  });
  return data;
}
