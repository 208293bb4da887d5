import type { PublicUser } from '@atrium/client';
import { useQuery } from '@tanstack/react-query';
import { atrium } from '../../session/atrium.ts';

/** As many as the service tells about at once. */
const PEOPLE_MAX = 100;

/** Names and pictures of accounts by their ids; undefined until they are loaded. */
export function usePeople(ids: readonly string[]): ReadonlyMap<string, PublicUser> | undefined {
  const asked = [...new Set(ids)].toSorted().slice(0, PEOPLE_MAX).join(',');
  const { data } = useQuery({
    queryKey: ['people', asked],
    queryFn: async ({ signal }) => {
      const people = await atrium.auth.getUsers({ ids: asked }, { signal });
      return new Map(people.data.map((person) => [person.id, person]));
    },
    enabled: asked !== '',
  });
  return data;
}
