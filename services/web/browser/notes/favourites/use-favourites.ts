import { useList } from '../../ui/lists/use-list.ts';
import { WORKSPACES_KEY } from '../workspaces/use-workspaces.ts';
import { workspaces } from '../workspaces/workspaces.ts';

/** Part of the other key: deleting a note or leaving a workspace changes both. */
const FAVOURITES_KEY = [...WORKSPACES_KEY, 'favourites'];

const PAGE_SIZE = 10;

/** The favourites of the person, the latest first. */
export function useFavourites() {
  return useList(FAVOURITES_KEY, (query, options) =>
    workspaces.listFavourites({ ...query, limit: PAGE_SIZE }, options),
  );
}
