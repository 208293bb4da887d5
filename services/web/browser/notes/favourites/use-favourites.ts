import { queryKeys } from '../../session/query-keys.ts';
import { useList } from '../../ui/lists/use-list.ts';
import { workspaces } from '../workspaces/workspaces.ts';

const PAGE_SIZE = 10;

/** The favourites of the person, the latest first. */
export function useFavourites() {
  return useList(queryKeys.workspaces.favourites, (query, options) =>
    workspaces.listFavourites({ ...query, limit: PAGE_SIZE }, options),
  );
}
