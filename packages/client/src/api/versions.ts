import type { List } from '../http/list.ts';
import type { Routes } from '../http/routes.ts';
import type { CallOptions } from '../http/send.ts';
import type {
  Comparison,
  ComparisonQuery,
  ListQuery,
  NameVersionBody,
  Note,
  Version,
  VersionSummary,
} from '../types.ts';
import type { MatchOptions, Tagged } from './options.ts';

/** What a note said before. */
export interface VersionsApi {
  /**
   * Lists the versions of a note, newest first; the first one is the current text.
   * @example
   * for await (const { title, createdAt } of workspaces.listVersions('note_…')) {
   *   console.log(title, createdAt);
   * }
   */
  listVersions: (noteId: string, query?: ListQuery, options?: CallOptions) => List<VersionSummary>;
  /**
   * Names the current version, so that the next change begins another one; with `ifMatch` only when the note
   * has not changed since it was read.
   * @example
   * await workspaces.nameVersion('note_…', { name: 'Sent to the printer' });
   */
  nameVersion: (
    noteId: string,
    body: NameVersionBody,
    options?: Partial<MatchOptions>,
  ) => Promise<VersionSummary>;
  /**
   * Returns a version with its content.
   * @example
   * const { content, tags } = await workspaces.getVersion('note_…', 'ver_…');
   */
  getVersion: (noteId: string, versionId: string, options?: CallOptions) => Promise<Version>;
  /**
   * Compares a version with another one, or with the current one.
   * @example
   * const { content } = await workspaces.compareVersions('note_…', 'ver_…', { to: 'ver_…' });
   */
  compareVersions: (
    noteId: string,
    versionId: string,
    query?: ComparisonQuery,
    options?: CallOptions,
  ) => Promise<Comparison>;
  /**
   * Gives a note the title, content and tags of a version, unless it has changed since it was read (412).
   * @example
   * const { etag } = await atrium.notes.getNote('note_…');
   * await workspaces.restoreVersion('note_…', 'ver_…', { ifMatch: etag });
   */
  restoreVersion: (
    noteId: string,
    versionId: string,
    options: MatchOptions,
  ) => Promise<Tagged<Note>>;
}

export const VERSIONS_ROUTES: Routes<VersionsApi> = {
  listVersions: 'GET /api/notes/{id}/versions list',
  nameVersion: 'POST /api/notes/{id}/versions body',
  getVersion: 'GET /api/notes/{id}/versions/{versionId}',
  compareVersions: 'GET /api/notes/{id}/versions/{versionId}/comparison query',
  restoreVersion: 'POST /api/notes/{id}/versions/{versionId}/restore etag',
};
