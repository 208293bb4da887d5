import type { List } from '../http/list.ts';
import type { Routes } from '../http/routes.ts';
import type { CallOptions } from '../http/send.ts';
import type {
  Backlink,
  CopyNoteBody,
  ListQuery,
  MoveNoteBody,
  Note,
  NoteLinks,
  NoteSummary,
} from '../types.ts';
import type { CreateOptions, MatchOptions, Tagged } from './options.ts';

/** Where notes are, what they are made from, and what they link to. */
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
  /**
   * Lists the notes that the titles in a note mean, such as `[[Plans]]`.
   * @example
   * const { data } = await workspaces.listNoteLinks('note_…');
   */
  listNoteLinks: (id: string, options?: CallOptions) => Promise<NoteLinks>;
  /**
   * Lists the notes that link to a note.
   * @example
   * for await (const { id, title } of workspaces.listBacklinks('note_…')) console.log(id, title);
   */
  listBacklinks: (id: string, query?: ListQuery, options?: CallOptions) => List<Backlink>;
}

export const ORGANISING_ROUTES: Routes<OrganisingApi> = {
  moveNote: 'POST /api/notes/{id}/move body twice etag',
  copyNote: 'POST /api/notes/{id}/copy body create etag',
  listTemplates: 'GET /api/workspaces/{id}/templates list',
  listNoteLinks: 'GET /api/notes/{id}/links',
  listBacklinks: 'GET /api/notes/{id}/backlinks list',
};
