import type { CallOptions } from '../http/send.ts';

/** A resource with the entity tag of the version that was read. */
export type Tagged<Resource> = Resource & { etag: string };

/** For calls that create something: they run once, however often they are sent. */
export interface CreateOptions extends CallOptions {
  /** A new one for every call by default; the same key returns what it created before. */
  idempotencyKey?: string | undefined;
}

export interface UploadOptions extends CreateOptions {
  /** Called as the file is being sent; in browsers only. */
  onProgress?: ((sentBytes: number) => void) | undefined;
}

export interface MatchOptions extends CallOptions {
  /** The entity tag that was read, or `*` for any. */
  ifMatch: string;
}
