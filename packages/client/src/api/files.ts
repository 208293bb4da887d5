import type { List } from '../http/list.ts';
import type { Routes } from '../http/routes.ts';
import type { CallOptions } from '../http/send.ts';
import type { UploadOptions } from './options.ts';
import type { Attachment, FileContent, Import, ListQuery, StorageUse } from '../types.ts';

/** Files that notes refer to, and archives of notes. */
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
    options?: UploadOptions,
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
   * Deletes an attachment from all workspaces that you own, even if a note refers to it.
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
   * Begins to import a zip archive: an export, or Markdown files as Obsidian and Notion write them.
   * @example
   * let { id, state } = await files.importNotes('ws_…', new Blob([bytes]));
   * while (state !== 'completed' && state !== 'failed') {
   *   await new Promise((resolve) => setTimeout(resolve, 1000));
   *   ({ state } = await files.getImport('ws_…', id));
   * }
   */
  importNotes: (workspaceId: string, archive: Blob, options?: UploadOptions) => Promise<Import>;
  /**
   * Lists the imports of the last 30 days into a workspace.
   * @example
   * const { data: imports } = await files.listImports('ws_…');
   */
  listImports: (workspaceId: string, query?: ListQuery, options?: CallOptions) => List<Import>;
  /**
   * Returns how far an import is, and what it left out.
   * @example
   * const { done, total, skipped } = await files.getImport('ws_…', 'imp_…');
   */
  getImport: (workspaceId: string, importId: string, options?: CallOptions) => Promise<Import>;
  /**
   * Returns how much the workspaces of the account take, and how much they may.
   * @example
   * const { usedBytes, limitBytes } = await files.getStorageUse();
   */
  getStorageUse: (options?: CallOptions) => Promise<StorageUse>;
}

export const FILES_ROUTES: Routes<FilesApi> = {
  uploadAttachment: 'POST /api/workspaces/{id}/attachments?name={name} body create',
  listAttachments: 'GET /api/workspaces/{id}/attachments list',
  downloadAttachment: 'GET /api/attachments/{id}/content stream',
  deleteAttachment: 'DELETE /api/attachments/{id}',
  exportWorkspace: 'GET /api/workspaces/{id}/export stream',
  importNotes: 'POST /api/workspaces/{id}/imports body create',
  listImports: 'GET /api/workspaces/{id}/imports list',
  getImport: 'GET /api/workspaces/{id}/imports/{importId}',
  getStorageUse: 'GET /api/storage',
};
