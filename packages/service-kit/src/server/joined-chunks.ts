import { IncomingMessage } from 'node:http';

const SMALL_BYTES = 1024;
const BLOCK_BYTES = 16 * 1024;

/**
 * A request whose small chunks are joined while they wait to be read. A chunk of one byte takes a hundred times its
 * memory, and Node would hold 65,536 of them until a handler reads, or drops the request.
 */
export class JoinedChunksMessage extends IncomingMessage {
  /** Small chunks that are not in the stream yet: the first as it came, and from the second on a block with all. */
  #first: Buffer | undefined;
  #block: Buffer | undefined;
  #filled = 0;
  #wantsMore = true;

  override push(chunk: Buffer | null): boolean {
    if (chunk === null || chunk.length > SMALL_BYTES) {
      this.#flush();
      return super.push(chunk);
    }
    if (this.#first === undefined) {
      this.#first = chunk;
      // Not in a tick: the parser has one for each chunk.
      setImmediate(() => {
        if (this.readableLength === 0) this.#flush();
      });
      return this.#wantsMore;
    }
    if (this.#block === undefined) {
      this.#block = Buffer.allocUnsafeSlow(BLOCK_BYTES);
      this.#filled = this.#first.copy(this.#block);
    }
    this.#filled += chunk.copy(this.#block, this.#filled);
    if (this.#filled > BLOCK_BYTES - SMALL_BYTES) this.#flush();
    return this.#wantsMore;
  }

  override read(size?: number): Buffer | null {
    this.#flush();
    return super.read(size);
  }

  #flush(): void {
    if (this.#first === undefined) return;
    const joined = this.#block?.subarray(0, this.#filled) ?? this.#first;
    this.#first = undefined;
    this.#block = undefined;
    this.#wantsMore = super.push(joined);
  }
}
