import type { Readable } from 'node:stream';

/** A part of a file: its first and its last byte. */
export interface ByteRange {
  start: number;
  end: number;
}

/** Where files are, by keys without slashes. */
export interface FileStorage {
  /** Stores the whole content or, when that fails, nothing. */
  write(key: string, content: AsyncIterable<Uint8Array>): Promise<void>;
  /** Rejects when there is no such file. */
  read(key: string, range?: ByteRange): Promise<Readable>;
  /** Also resolves when there is no such file. */
  remove(key: string): Promise<void>;
}
