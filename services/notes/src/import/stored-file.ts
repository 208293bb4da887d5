import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { RandomAccessReader } from 'yauzl';
import type { FileStorage } from '../files/storage.ts';

const BLOCK_BYTES = 256 * 1024;

export interface StoredArchive {
  key: string;
  sizeBytes: number;
}

/** A stored file as yauzl reads it. Short reads come from one block in memory: an archive needs three an entry. */
export class StoredFile extends RandomAccessReader {
  readonly #storage: FileStorage;
  readonly #key: string;
  readonly #sizeBytes: number;
  readonly #signal: AbortSignal;
  #block = { start: 0, content: Buffer.alloc(0) };
  /** Why the storage could not be read, as opposed to an archive that is no archive. */
  failure: unknown;

  constructor(storage: FileStorage, { key, sizeBytes }: StoredArchive, signal: AbortSignal) {
    super();
    this.#storage = storage;
    this.#key = key;
    this.#sizeBytes = sizeBytes;
    this.#signal = signal;
  }

  override read(
    target: Buffer,
    offset: number,
    length: number,
    position: number,
    callback: (error: Error | null) => void,
  ): void {
    this.#short(position, position + length).then(
      (bytes) => {
        bytes.copy(target, offset);
        callback(null);
      },
      (error: unknown) => callback(error instanceof Error ? error : new Error(String(error))),
    );
  }

  override _readStreamForRange(start: number, end: number): Readable {
    return Readable.from(this.#range(start, end), { objectMode: false });
  }

  async *#range(start: number, end: number): AsyncGenerator<Uint8Array> {
    if (end - start <= BLOCK_BYTES) yield await this.#short(start, end);
    else yield* this.#load(start, end);
  }

  async #short(start: number, end: number): Promise<Buffer> {
    const { start: blockStart, content } = this.#block;
    if (end > this.#sizeBytes) throw new Error('it ends too early');
    if (start < blockStart || end > blockStart + content.length) {
      const blockEnd = Math.min(this.#sizeBytes, Math.max(end, start + BLOCK_BYTES));
      this.#block = { start, content: await buffer(this.#load(start, blockEnd)) };
    }
    return this.#block.content.subarray(start - this.#block.start, end - this.#block.start);
  }

  async *#load(start: number, end: number): AsyncGenerator<Uint8Array> {
    try {
      const range = { start, end: end - 1 };
      yield* await this.#storage.read(this.#key, { range, signal: this.#signal });
    } catch (error) {
      this.failure = error;
      throw error;
    }
  }
}
