import type { List } from '../http/list.ts';
import type { Routes } from '../http/routes.ts';
import type { CallOptions } from '../http/send.ts';
import type { ListQuery, NoteSummary } from '../types.ts';

/** Notes that the user marked, in all workspaces. Nobody else sees which. */
export interface FavouritesApi {
  /**
   * Lists the favourites of the user, the latest first.
   * @example
   * for await (const { title } of workspaces.listFavourites()) console.log(title);
   */
  listFavourites: (query?: ListQuery, options?: CallOptions) => List<NoteSummary>;
  /**
   * Makes a note a favourite.
   * @example
   * await workspaces.addFavourite('note_…');
   */
  addFavourite: (noteId: string, options?: CallOptions) => Promise<void>;
  /**
   * Makes a note no favourite any more.
   * @example
   * await workspaces.removeFavourite('note_…');
   */
  removeFavourite: (noteId: string, options?: CallOptions) => Promise<void>;
}

export const FAVOURITES_ROUTES: Routes<FavouritesApi> = {
  listFavourites: 'GET /api/favourites list',
  addFavourite: 'PUT /api/notes/{id}/favourite',
  removeFavourite: 'DELETE /api/notes/{id}/favourite',
};
