import { FILES_ROUTES, type FilesApi } from './api/files.ts';
import type { Atrium } from './index.ts';

export type { FilesApi } from './api/files.ts';

/**
 * The files of notes, beside what every product needs.
 * @example
 * const files = createFiles(atrium);
 * const { path } = await files.uploadAttachment('ws_…', 'plan.png', new Blob([bytes]));
 */
export function createFiles({ callsOf }: Atrium): FilesApi {
  return callsOf('notes', FILES_ROUTES);
}
