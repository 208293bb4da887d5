// Why it is so: docs/decisions/0024-attachments.md
import { Readable } from 'node:stream';
import type { Origin } from '@atrium/service-kit/database';
import { HttpError, notFound, unavailable } from '@atrium/service-kit/http-error';
import type { FileStorage } from '../files/storage.ts';
import { storeUnderLease } from '../files/upload-lease.ts';
import { sizeOf } from '../storage-use/store.ts';
import { fileTypeOf, HEAD_BYTES } from './file-type.ts';
import { isImage, readImage } from './image.ts';
import type { AttachmentStore } from './store.ts';

/** What the plan of the workspace's owner allows. */
interface FileLimits {
  fileSizeBytes: number;
}

interface Upload {
  workspaceId: string;
  accountId: string;
  name: string;
  sizeBytes: number;
  content: AsyncIterable<Uint8Array>;
  sourceId?: string;
  origin: Origin;
  signal?: AbortSignal;
}

/** Stores the content of a new attachment, which nobody finds until it is marked as stored. @returns its id */
export type StoreUpload = (upload: Upload, limits: FileLimits) => Promise<string>;

/** The first bytes, and all of them once more. */
async function peek(content: AsyncIterable<Uint8Array>) {
  const rest = content[Symbol.asyncIterator]();
  let head = Buffer.alloc(0);
  while (head.length < HEAD_BYTES) {
    const next = await rest.next();
    if (next.done === true) break;
    head = Buffer.concat([head, next.value]);
  }
  async function* whole() {
    yield head;
    yield* { [Symbol.asyncIterator]: () => rest };
  }
  return { head, whole: whole() };
}

export function requireFileSize(sizeBytes: number, { fileSizeBytes }: FileLimits): void {
  if (sizeBytes <= fileSizeBytes) return;
  const most = sizeOf(fileSizeBytes);
  throw new HttpError('plan-limit-size', `A file may have at most ${most} in this workspace`);
}

export function createUploads(attachments: AttachmentStore, storage: FileStorage): StoreUpload {
  return async ({ sizeBytes, content, signal, ...upload }, limits) => {
    requireFileSize(sizeBytes, limits);
    const { head, whole } = await peek(content);
    const type = fileTypeOf(head);
    const { accountId } = upload;
    const image = isImage(type)
      ? await readImage(whole, { accountId, type, sizeBytes })
      : undefined;
    const file = { ...upload, type, sizeBytes: image?.length ?? sizeBytes };
    const id = await attachments.reserve(file);
    if (id === null) throw notFound('Workspace');
    const stored = image === undefined ? whole : Readable.from([image]);
    try {
      await storeUnderLease(
        () => attachments.renew(id),
        () => storage.write(id, stored, { sizeBytes: file.sizeBytes, signal }),
      );
    } catch (error) {
      await attachments.detach(id);
      throw unavailable('The file could not be stored, please try again', undefined, error);
    }
    return id;
  };
}
