import { FILES_ROUTES, type FilesApi } from './api/files.ts';
import type { UploadOptions } from './api/options.ts';
import { fetchWithProgress } from './http/upload-progress.ts';
import type { Atrium } from './index.ts';

export type { FilesApi } from './api/files.ts';
export type { UploadOptions } from './api/options.ts';

/**
 * The files of notes, beside what every product needs.
 * @example
 * const files = createFiles(atrium);
 * const { path } = await files.uploadAttachment('ws_…', 'plan.png', new Blob([bytes]));
 */
export function createFiles({ callsOf }: Atrium): FilesApi {
  const calls = callsOf('notes', FILES_ROUTES);
  const withProgress = ({ onProgress, ...options }: UploadOptions = {}) => ({
    ...(onProgress !== undefined &&
      'XMLHttpRequest' in globalThis && { fetch: fetchWithProgress(onProgress) }),
    ...options,
  });
  return {
    ...calls,
    uploadAttachment: (workspaceId, name, file, options) =>
      calls.uploadAttachment(workspaceId, name, file, withProgress(options)),
    importNotes: (workspaceId, archive, options) =>
      calls.importNotes(workspaceId, archive, withProgress(options)),
  };
}
