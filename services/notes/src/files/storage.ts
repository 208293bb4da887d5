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

export interface WriteOptions {
  /** Exactly as many as the content has. */
  sizeBytes: number;
  /** Ends the writing, which then fails. */
  signal?: AbortSignal | undefined;
}

export interface ReadOptions {
  /** The whole file by default. */
  range?: ByteRange;
  /** Ends the reading, also of content that is being read. */
  signal?: AbortSignal | undefined;
}

/** Where files are, by keys without slashes. */
export interface FileStorage {
  /** Stores the whole content or, when that fails, nothing. */
  write(key: string, content: AsyncIterable<Uint8Array>, options: WriteOptions): Promise<void>;
  /** @throws MissingFile when there is no such file */
  read(key: string, options?: ReadOptions): Promise<Readable>;
  /** Also resolves when there is no such file. */
  remove(key: string): Promise<void>;
}
