import type { Readable } from 'node:stream';

/** A part of a file: its first and its last byte. */
export interface ByteRange {
  start: number;
  end: number;
}

/** There is no file with this key. */
export class MissingFile extends Error {
  constructor(key: string, cause: unknown) {
    super(`no file ${key}`, { cause });
  }
}

/** Where files are, by keys without slashes. */
export interface FileStorage {
  /** Stores the whole content or, when that fails, nothing. */
  write(key: string, content: AsyncIterable<Uint8Array>): Promise<void>;
  /** @throws MissingFile when there is no such file */
  read(key: string, range?: ByteRange): Promise<Readable>;
  /** Also resolves when there is no such file. */
  remove(key: string): Promise<void>;
}
