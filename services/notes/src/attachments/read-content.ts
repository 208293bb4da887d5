import { Readable } from 'node:stream';
import { unavailable } from '@atrium/service-kit/http-error';
import type { FileStorage } from '../files/storage.ts';

/** The content of a file as the body of a response. */
export async function readContent(storage: FileStorage, id: string): Promise<Readable> {
  const content = await storage.read(id).catch((error: unknown) => {
    throw unavailable('The file cannot be read now, please try again', undefined, error);
  });
  return Readable.from(content);
}
