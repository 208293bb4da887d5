import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { validationError } from '../http-error.ts';

const BLOCK_BYTES = 16 * 1024;
/** More than any request has; each may take a hundred times its byte. */
const VALUES_MAX = 20_000;
const LARGE_BYTES = 64 * 1024;
/** More than any request needs; what is written recursively, as JSON.stringify does, ends at some thousand. */
const DEPTH_MAX = 500;
const [QUOTE, BACKSLASH, COMMA, BRACKET, BRACE, BRACKET_END, BRACE_END] = Buffer.from('"\\,[{]}');

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
 * Counts the values of a JSON text and how deep they are before it is parsed: a list of empty objects takes twenty
 * times its bytes, and lists within lists a function for each.
 *
 * @throws HttpError 422
 */
export function assertBounded(json: Buffer): void {
  if (json.length <= DEPTH_MAX) return;
  const valuesMax = json.length > LARGE_BYTES ? VALUES_MAX : Infinity;
  let values = 0;
  let depth = 0;
  for (let at = 0; at < json.length; at += 1) {
    const byte = json[at];
    if (byte === QUOTE) at = endOfString(json, at);
    else if (byte === COMMA) values += 1;
    else if (byte === BRACKET || byte === BRACE) {
      values += 1;
      depth += 1;
    } else if (byte === BRACKET_END || byte === BRACE_END) depth -= 1;
    if (values > valuesMax) throw validationError('Request body has too many values');
    if (depth > DEPTH_MAX) throw validationError('Request body is nested too deeply');
  }
}

function endOfString(json: Buffer, start: number): number {
  let at = start + 1;
  while (at < json.length && json[at] !== QUOTE) at += json[at] === BACKSLASH ? 2 : 1;
  return at;
}
