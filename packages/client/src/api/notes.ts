import type { List } from '../http/list.ts';
import type { Routes } from '../http/routes.ts';
import type { CallOptions } from '../http/send.ts';
import type {
  ChangeNoteBody,
  ChangeWorkspaceBody,
  CreateNoteBody,
  CreateWorkspaceBody,
  ListQuery,
  Note,
  NoteListQuery,
  NoteSummary,
  SearchQuery,
  SearchResponse,
  SearchResult,
  Share,
  SharedNote,
  ShareSettings,
  TitleQuery,
  TitleResponse,
  TrashedNote,
  Workspace,
} from '../types.ts';
import type { CreateOptions, MatchOptions, Tagged } from './options.ts';

/** Workspaces, notes, sharing and search. */
export interface NotesApi {
  /**
   * Creates a workspace.
   * @example
   * const workspace = await atrium.notes.createWorkspace({ name: 'Work' });
   */
  createWorkspace: (body: CreateWorkspaceBody, options?: CreateOptions) => Promise<Workspace>;
  /**
   * Lists the workspaces.
   * @example
   * for await (const workspace of atrium.notes.listWorkspaces()) console.log(workspace.name);
   */
  listWorkspaces: (query?: ListQuery, options?: CallOptions) => List<Workspace>;
  /**
   * Returns a workspace.
   * @example
   * const { noteCount } = await atrium.notes.getWorkspace('ws_…');
   */
  getWorkspace: (id: string, options?: CallOptions) => Promise<Workspace>;
  /**
   * Changes the name or the description of a workspace.
   * @example
   * await atrium.notes.updateWorkspace('ws_…', { name: 'Projects' });
   */
  updateWorkspace: (
    id: string,
    body: ChangeWorkspaceBody,
    options?: CallOptions,
  ) => Promise<Workspace>;
  /**
   * Deletes a workspace with its notes.
   * @example
   * await atrium.notes.deleteWorkspace('ws_…');
   */
  deleteWorkspace: (id: string, options?: CallOptions) => Promise<void>;
  /**
   * Creates a note in a workspace.
   * @example
   * const note = await atrium.notes.createNote('ws_…', { title: 'Plans', content: '# Autumn' });
   */
  createNote: (
    workspaceId: string,
    body: CreateNoteBody,
    options?: CreateOptions,
  ) => Promise<Tagged<Note>>;
  /**
   * Lists the notes of a workspace, without their contents, pinned ones first.
   * @example
   * const { data } = await atrium.notes.listNotes('ws_…', { sort: 'title', tags: ['garden'] });
   */
  listNotes: (
    workspaceId: string,
    query?: NoteListQuery,
    options?: CallOptions,
  ) => List<NoteSummary>;
  /**
   * Returns a note with its entity tag.
   * @example
   * const { content, etag } = await atrium.notes.getNote('note_…');
   */
  getNote: (id: string, options?: CallOptions) => Promise<Tagged<Note>>;
  /**
   * Changes a note, unless it has changed since it was read (412).
   * @example
   * const note = await atrium.notes.getNote('note_…');
   * await atrium.notes.updateNote(note.id, { pinned: true }, { ifMatch: note.etag });
   */
  updateNote: (id: string, body: ChangeNoteBody, options: MatchOptions) => Promise<Tagged<Note>>;
  /**
   * Moves a note to the trash; with `ifMatch` only when it has not changed since it was read.
   * @example
   * await atrium.notes.deleteNote('note_…');
   */
  deleteNote: (id: string, options?: Partial<MatchOptions>) => Promise<void>;
  /**
   * Takes a note out of the trash.
   * @example
   * const { title, etag } = await atrium.notes.restoreNote('note_…');
   */
  restoreNote: (id: string, options?: CallOptions) => Promise<Tagged<Note>>;
  /**
   * Lists the deleted notes of a workspace, the latest deletion first.
   * @example
   * for await (const { title, purgedAt } of atrium.notes.listTrash('ws_…')) {
   *   console.log(title, purgedAt);
   * }
   */
  listTrash: (workspaceId: string, query?: ListQuery, options?: CallOptions) => List<TrashedNote>;
  /**
   * Deletes the notes in the trash of a workspace for good.
   * @example
   * await atrium.notes.emptyTrash('ws_…');
   */
  emptyTrash: (workspaceId: string, options?: CallOptions) => Promise<void>;
  /**
   * Makes a note public, with settings if they are given.
   * @example
   * const { url } = await atrium.notes.shareNote('note_…', { maxViews: 50 });
   */
  shareNote: (id: string, body?: ShareSettings, options?: CallOptions) => Promise<Tagged<Share>>;
  /**
   * Makes a note private again; with `ifMatch` only when its share has not changed since it was read.
   * @example
   * await atrium.notes.unshareNote('note_…');
   */
  unshareNote: (id: string, options?: Partial<MatchOptions>) => Promise<void>;
  /**
   * Searches the notes of all workspaces, or of one.
   * @example
   * for await (const { title, snippet } of atrium.notes.searchNotes({ q: 'tulips' })) {
   *   console.log(title, snippet);
   * }
   */
  searchNotes: (query: SearchQuery, options?: CallOptions) => List<SearchResult, SearchResponse>;
  /**
   * Finds notes by the beginning of words in their titles, in all workspaces or in one.
   * @example
   * const { data } = await atrium.notes.searchTitles({ q: 'pla', limit: 5 });
   */
  searchTitles: (query: TitleQuery, options?: CallOptions) => Promise<TitleResponse>;
  /**
   * Returns a public note; needs no session.
   * @example
   * const { title, content } = await atrium.notes.getSharedNote('q2Vd8LrT0xYpK7sNwB4mZg');
   */
  getSharedNote: (token: string, options?: CallOptions) => Promise<SharedNote>;
}

export const NOTES_ROUTES: Routes<NotesApi> = {
  createWorkspace: 'POST /api/workspaces body create',
  listWorkspaces: 'GET /api/workspaces list',
  getWorkspace: 'GET /api/workspaces/{id}',
  updateWorkspace: 'PATCH /api/workspaces/{id} body',
  deleteWorkspace: 'DELETE /api/workspaces/{id}',
  createNote: 'POST /api/workspaces/{id}/notes body create etag',
  listNotes: 'GET /api/workspaces/{id}/notes list',
  getNote: 'GET /api/notes/{id} etag',
  updateNote: 'PATCH /api/notes/{id} body etag',
  deleteNote: 'DELETE /api/notes/{id}',
  restoreNote: 'POST /api/notes/{id}/restore etag',
  listTrash: 'GET /api/workspaces/{id}/trash list',
  emptyTrash: 'DELETE /api/workspaces/{id}/trash',
  shareNote: 'POST /api/notes/{id}/share body twice etag',
  unshareNote: 'DELETE /api/notes/{id}/share',
  searchNotes: 'GET /api/search list',
  searchTitles: 'GET /api/search/titles query',
  getSharedNote: 'GET /shared/{token} public',
};
