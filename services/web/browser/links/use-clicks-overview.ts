import { useQuery } from '@tanstack/react-query';
import { atrium } from '../session/atrium.ts';
import { queryKeys } from '../session/query-keys.ts';

export const OVERVIEW_DAYS = 14;

/** The clicks on all links, in total and of the last days, beside how many links there are. */
export function useClicksOverview() {
  return useQuery({
    queryKey: queryKeys.links.overview(OVERVIEW_DAYS),
    queryFn: async ({ signal }) => {
      const [clicks, { links }] = await Promise.all([
        atrium.links.getClicksOverview({ days: OVERVIEW_DAYS }, { signal }),
        atrium.links.getLinksUsage({ signal }),
      ]);
      return { ...clicks, linkCount: links.used };
    },
  });
}
