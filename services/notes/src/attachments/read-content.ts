import type { Readable } from 'node:stream';
import { unavailable } from '@atrium/service-kit/http-error';
import type { FileStorage } from '../files/storage.ts';

/** @throws HttpError 503 */
export function readContent(storage: FileStorage, id: string): Promise<Readable> {
  return storage.read(id).catch((error: unknown) => {
    throw unavailable('The file cannot be read now, please try again', undefined, error);
  });
}
