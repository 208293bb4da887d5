import type { List } from '../http/list.ts';
import type { Routes } from '../http/routes.ts';
import type { CallOptions } from '../http/send.ts';
import type { CopyNoteBody, ListQuery, MoveNoteBody, Note, NoteSummary } from '../types.ts';
import type { CreateOptions, MatchOptions, Tagged } from './options.ts';

/** Where notes are, and what they are made from. */
export interface OrganisingApi {
  /**
   * Moves a note to another workspace; with `ifMatch` only when it has not changed since it was read.
   * @example
   * await workspaces.moveNote('note_…', { workspaceId: 'ws_…' });
   */
  moveNote: (
    id: string,
    body: MoveNoteBody,
    options?: Partial<MatchOptions>,
  ) => Promise<Tagged<Note>>;
  /**
   * Copies a note, also as a template or from one.
   * @example
   * const template = await workspaces.copyNote('note_…', { isTemplate: true });
   * const note = await workspaces.copyNote(template.id, {});
   */
  copyNote: (id: string, body: CopyNoteBody, options?: CreateOptions) => Promise<Tagged<Note>>;
  /**
   * Lists the templates of a workspace, the newest first.
   * @example
   * for await (const { id, title } of workspaces.listTemplates('ws_…')) console.log(id, title);
   */
  listTemplates: (
    workspaceId: string,
    query?: ListQuery,
    options?: CallOptions,
  ) => List<NoteSummary>;
}

export const ORGANISING_ROUTES: Routes<OrganisingApi> = {
  moveNote: 'POST /api/notes/{id}/move body twice etag',
  copyNote: 'POST /api/notes/{id}/copy body create etag',
  listTemplates: 'GET /api/workspaces/{id}/templates list',
};
