import type { List } from '../http/list.ts';
import type { Routes } from '../http/routes.ts';
import type { CallOptions } from '../http/send.ts';
import type { Attachment, FileContent, ListQuery, StorageUse } from '../types.ts';

/** Files that notes refer to. */
export interface FilesApi {
  /**
   * Attaches a file to a workspace; what keeps it is its `path` in the content of a note.
   * @example
   * const { path } = await files.uploadAttachment('ws_…', 'plan.png', new Blob([bytes]));
   * await atrium.notes.createNote('ws_…', { title: 'Plan', content: `![The plan](${path})` });
   */
  uploadAttachment: (
    workspaceId: string,
    name: string,
    file: Blob,
    options?: CallOptions,
  ) => Promise<Attachment>;
  /**
   * Lists the attachments of a workspace.
   * @example
   * for await (const { name, sizeBytes } of files.listAttachments('ws_…')) {
   *   console.log(name, sizeBytes);
   * }
   */
  listAttachments: (
    workspaceId: string,
    query?: ListQuery,
    options?: CallOptions,
  ) => List<Attachment>;
  /**
   * Opens the content of an attachment.
   * @example
   * const blob = await new Response(await files.downloadAttachment('fil_…')).blob();
   */
  downloadAttachment: (id: string, options?: CallOptions) => Promise<FileContent>;
  /**
   * Deletes an attachment.
   * @example
   * await files.deleteAttachment('fil_…');
   */
  deleteAttachment: (id: string, options?: CallOptions) => Promise<void>;
  /**
   * Opens a zip archive of the notes of a workspace as Markdown, with their attachments.
   * @example
   * const archive = await new Response(await files.exportWorkspace('ws_…')).blob();
   */
  exportWorkspace: (workspaceId: string, options?: CallOptions) => Promise<FileContent>;
  /**
   * Returns how much the attachments of the account take, and how much they may.
   * @example
   * const { usedBytes, limitBytes } = await files.getStorageUse();
   */
  getStorageUse: (options?: CallOptions) => Promise<StorageUse>;
}

export const FILES_ROUTES: Routes<FilesApi> = {
  uploadAttachment: 'POST /api/workspaces/{id}/attachments?name={name} body',
  listAttachments: 'GET /api/workspaces/{id}/attachments list',
  downloadAttachment: 'GET /api/attachments/{id}/content stream',
  deleteAttachment: 'DELETE /api/attachments/{id}',
  exportWorkspace: 'GET /api/workspaces/{id}/export stream',
  getStorageUse: 'GET /api/storage',
};
