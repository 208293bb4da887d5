import type { List } from '../http/list.ts';
import type { Routes } from '../http/routes.ts';
import type { CallOptions } from '../http/send.ts';
import type { ListQuery, TrashedNote } from '../types.ts';

/** The trash of all workspaces; `atrium.notes` has that of one. */
export interface TrashApi {
  /**
   * Lists the deleted notes of all workspaces, the latest deletion first.
   * @example
   * for await (const { title, purgedAt } of workspaces.listTrashedNotes()) {
   *   console.log(title, purgedAt);
   * }
   */
  listTrashedNotes: (query?: ListQuery, options?: CallOptions) => List<TrashedNote>;
  /**
   * Deletes a note in the trash for good.
   * @example
   * await workspaces.deleteTrashedNote('ws_…', 'note_…');
   */
  deleteTrashedNote: (workspaceId: string, noteId: string, options?: CallOptions) => Promise<void>;
}

export const TRASH_ROUTES: Routes<TrashApi> = {
  listTrashedNotes: 'GET /api/trash list',
  deleteTrashedNote: 'DELETE /api/workspaces/{id}/trash/{noteId}',
};
