import type { Routes } from '../http/routes.ts';
import type { CallOptions } from '../http/send.ts';
import type {
  FileContent,
  OpenedSharedNote,
  OpenSharedNoteBody,
  ReadingConditions,
  Share,
  ShareSettings,
} from '../types.ts';
import type { MatchOptions, Tagged } from './options.ts';

/** The settings of public notes, and reading those that must be opened first. */
export interface SharingApi {
  /**
   * Returns the link of a public note and its settings.
   * @example
   * const { url, views, hasPassword } = await workspaces.getShare('note_…');
   */
  getShare: (noteId: string, options?: CallOptions) => Promise<Tagged<Share>>;
  /**
   * Changes the settings; with `ifMatch` only when they have not changed since they were read.
   * @example
   * const { etag } = await workspaces.getShare('note_…');
   * await workspaces.updateShare('note_…', { password: null }, { ifMatch: etag });
   */
  updateShare: (
    noteId: string,
    body: ShareSettings,
    options?: Partial<MatchOptions>,
  ) => Promise<Tagged<Share>>;
  /**
   * Returns what reading a public note takes; needs no session.
   * @example
   * const { needsPassword } = await workspaces.getReadingConditions('q2Vd8LrT0xYpK7sNwB4mZg');
   */
  getReadingConditions: (token: string, options?: CallOptions) => Promise<ReadingConditions>;
  /**
   * Opens a public note; needs no session. For an hour it can be read without another view.
   * @example
   * const { access } = await workspaces.openSharedNote('q2Vd8LrT0xYpK7sNwB4mZg', { password });
   * const headers = { 'share-access': access };
   * const { content } = await atrium.notes.getSharedNote('q2Vd8LrT0xYpK7sNwB4mZg', { headers });
   */
  openSharedNote: (
    token: string,
    body?: OpenSharedNoteBody,
    options?: CallOptions,
  ) => Promise<OpenedSharedNote>;
  /**
   * Opens the content of an attachment that a public note refers to; needs no session.
   * @example
   * const file = await workspaces.downloadSharedAttachment('q2Vd8LrT0xYpK7sNwB4mZg', 'fil_…');
   */
  downloadSharedAttachment: (
    token: string,
    id: string,
    options?: CallOptions,
  ) => Promise<FileContent>;
}

export const SHARING_ROUTES: Routes<SharingApi> = {
  getShare: 'GET /api/notes/{id}/share etag',
  updateShare: 'PATCH /api/notes/{id}/share body etag',
  getReadingConditions: 'GET /shared/{token}/access public',
  openSharedNote: 'POST /shared/{token}/access body public',
  downloadSharedAttachment: 'GET /shared/{token}/attachments/{id} public stream',
};
