import type { List } from '../http/list.ts';
import type { Routes } from '../http/routes.ts';
import type { CallOptions } from '../http/send.ts';
import type { NoteParents, PlaceNoteBody, TreeNote, TreeQuery } from '../types.ts';

/** Notes below other notes. */
export interface TreeApi {
  /**
   * Lists the notes without a parent, or the children of one, in their order.
   * @example
   * for await (const { id, title, hasChildren } of workspaces.listTree('ws_…')) {
   *   console.log(id, title, hasChildren);
   * }
   */
  listTree: (workspaceId: string, query?: TreeQuery, options?: CallOptions) => List<TreeNote>;
  /**
   * Lists the notes above a note, from the first level on.
   * @example
   * const { data } = await workspaces.listParents('note_…');
   */
  listParents: (id: string, options?: CallOptions) => Promise<NoteParents>;
  /**
   * Puts a note below another of its workspace, or elsewhere among its siblings: as the last one, or `after` one.
   * @example
   * await workspaces.placeNote('note_…', { parentId: null });
   */
  placeNote: (id: string, body: PlaceNoteBody, options?: CallOptions) => Promise<TreeNote>;
}

export const TREE_ROUTES: Routes<TreeApi> = {
  listTree: 'GET /api/workspaces/{id}/tree list',
  listParents: 'GET /api/notes/{id}/parents',
  placeNote: 'POST /api/notes/{id}/place body twice',
};
