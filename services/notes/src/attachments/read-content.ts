import type { Readable } from 'node:stream';
import { notFound, unavailable } from '@atrium/service-kit/http-error';
import type { Logger } from '@atrium/service-kit/logger';
import { type FileStorage, MissingFile } from '../files/storage.ts';

/** @throws HttpError 404 when the storage has lost the file, 503 when it cannot be read now */
export async function readContent(
  storage: FileStorage,
  id: string,
  log: Pick<Logger, 'error'>,
): Promise<Readable> {
  try {
    return await storage.read(id);
  } catch (error) {
    if (!(error instanceof MissingFile)) {
      throw unavailable('The file cannot be read now, please try again', undefined, error);
    }
    log.error({ err: error, attachmentId: id }, 'attachment not found in the storage');
    throw notFound('Attachment');
  }
}
