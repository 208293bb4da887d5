import { FILES_ROUTES, type FilesApi } from './api/files.ts';
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
  return {
    ...calls,
    uploadAttachment: (workspaceId, name, file, { onProgress, ...options } = {}) =>
      calls.uploadAttachment(workspaceId, name, file, {
        ...(onProgress !== undefined &&
          'XMLHttpRequest' in globalThis && { fetch: fetchWithProgress(onProgress) }),
        ...options,
      }),
  };
}
