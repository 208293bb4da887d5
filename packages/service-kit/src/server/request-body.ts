import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { validationError } from '../http-error.ts';

const BLOCK_BYTES = 16 * 1024;
/** More than any request has; each may take a hundred times its byte. */
const VALUES_MAX = 20_000;
const LARGE_BYTES = 64 * 1024;
const [QUOTE, BACKSLASH, COMMA, BRACKET, BRACE] = Buffer.from('"\\,[{');

/**
 * A body in blocks, each full but the last: a chunk of a single byte takes a hundred times as much memory.
 * Nothing is read before its handler reads it.
 *
 * @param onBytes called before another block is kept, with the size of all
 */
export function gatherBody(body: IncomingMessage, onBytes: (bytes: number) => void): Readable {
  return Readable.from(blocksOf(body, onBytes), { objectMode: false });
}

async function* blocksOf(
  body: IncomingMessage,
  onBytes: (bytes: number) => void,
): AsyncGenerator<Buffer> {
  let total = 0;
  let block = Buffer.alloc(0);
  let filled = 0;
  // Otherwise a body that is refused would end its connection before the answer is sent.
  const chunks: AsyncIterable<Buffer> = body.iterator({ destroyOnReturn: false });
  for await (const chunk of chunks) {
    for (let rest = chunk; rest.length > 0;) {
      if (filled === block.length) {
        if (filled > 0) yield block;
        onBytes(total + BLOCK_BYTES);
        block = Buffer.allocUnsafeSlow(BLOCK_BYTES);
        filled = 0;
      }
      const copied = rest.copy(block, filled);
      rest = rest.subarray(copied);
      filled += copied;
      total += copied;
    }
  }
  if (total > LARGE_BYTES) await nextTurn();
  if (filled > 0) yield block.subarray(0, filled);
}

let lastTurn = Promise.resolve();

/**
 * Large bodies are parsed in as many turns of the event loop, so that nobody waits behind all those that have
 * arrived together.
 */
function nextTurn(): Promise<void> {
  lastTurn = lastTurn.then(() => setImmediate());
  return lastTurn;
}

/**
 * Counts the values of a JSON text before it is parsed: a list of empty objects takes twenty times its bytes.
 *
 * @throws HttpError 422
 */
export function assertFewValues(json: Buffer): void {
  if (json.length <= LARGE_BYTES) return;
  let values = 0;
  for (let at = 0; at < json.length; at += 1) {
    const byte = json[at];
    if (byte === QUOTE) at = endOfString(json, at);
    else if (byte === COMMA || byte === BRACKET || byte === BRACE) values += 1;
    if (values > VALUES_MAX) {
      throw validationError(`Request body has more than ${VALUES_MAX} values`);
    }
  }
}

function endOfString(json: Buffer, start: number): number {
  let at = start + 1;
  while (at < json.length && json[at] !== QUOTE) at += json[at] === BACKSLASH ? 2 : 1;
  return at;
}
