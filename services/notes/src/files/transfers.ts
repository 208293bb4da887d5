import type { IncomingMessage, ServerResponse } from 'node:http';
import { finished, Readable } from 'node:stream';
import { badRequest, tooManyRequests } from '@atrium/service-kit/http-error';

interface Transfer {
  /** The id of an account, or the address of somebody without one. */
  client: string;
  response: ServerResponse;
}

/** The transfers of this process. */
export interface Transfers {
  /**
   * The body of a request, as long as it keeps arriving.
   *
   * @throws HttpError 429 when there are too many at the same time
   */
  receive(body: IncomingMessage, transfer: Transfer): AsyncIterable<Uint8Array>;
  /**
   * Content for a response, as long as somebody keeps taking it. It is closed with the response.
   *
   * @throws HttpError 429 when there are too many at the same time
   */
  send(content: Readable, transfer: Transfer): Readable;
}

export interface TransferLimits {
  /** At the same time, for each client. */
  uploads: number;
  downloads: number;
  /** How long a client may do nothing, once it has been faster than `bytesPerSecond`. */
  graceMs: number;
  bytesPerSecond: number;
}

/** Slower than any network that people use: it only holds connections and memory. */
const LIMITS = { uploads: 8, downloads: 32, graceMs: 20_000, bytesPerSecond: 16 * 1024 };

export function createTransfers(limits: TransferLimits = LIMITS): Transfers {
  const startUpload = limitConcurrency(limits.uploads);
  const startDownload = limitConcurrency(limits.downloads);
  return {
    receive(body, transfer) {
      startUpload(transfer);
      return receiveChunks(body, limits);
    },
    send(content, transfer) {
      finished(transfer.response, () => content.destroy());
      startDownload(transfer);
      const sent = sendChunks(content, transfer.response, limits);
      return Readable.from(sent, { objectMode: false });
    },
  };
}

function limitConcurrency(max: number) {
  const open = new Map<string, number>();
  return ({ client, response }: Transfer): void => {
    const count = open.get(client) ?? 0;
    if (count >= max) throw tooManyRequests('Too many files at the same time', 1);
    open.set(client, count + 1);
    finished(response, () => {
      const rest = (open.get(client) ?? 0) - 1;
      if (rest > 0) open.set(client, rest);
      else open.delete(client);
    });
  };
}

type MinimumRate = Pick<TransferLimits, 'graceMs' | 'bytesPerSecond'>;

/** How much longer a client may wait: each byte earns it time, waiting costs it. */
function createStallTimer({ graceMs, bytesPerSecond }: MinimumRate) {
  let leftMs = graceMs;
  return {
    /** @returns ends the wait */
    start(onTooSlow: () => void) {
      const startedMs = performance.now();
      const timer = setTimeout(onTooSlow, leftMs);
      return () => {
        clearTimeout(timer);
        leftMs -= performance.now() - startedMs;
      };
    },
    addBytes(bytes: number) {
      leftMs = Math.min(graceMs, leftMs + (bytes / bytesPerSecond) * 1000);
    },
  };
}

async function* receiveChunks(body: Readable, rate: MinimumRate): AsyncGenerator<Uint8Array> {
  const stall = createStallTimer(rate);
  const chunks: AsyncIterator<Uint8Array> = body[Symbol.asyncIterator]();
  for (;;) {
    const stop = stall.start(() => body.destroy(badRequest('The file arrives too slowly')));
    const next = await chunks.next().finally(() => stop());
    if (next.done === true) return;
    stall.addBytes(next.value.length);
    yield next.value;
  }
}

async function* sendChunks(
  content: Readable,
  response: ServerResponse,
  rate: MinimumRate,
): AsyncGenerator<Uint8Array> {
  const stall = createStallTimer(rate);
  for await (const chunk of content as AsyncIterable<Uint8Array>) {
    const stop = stall.start(() => response.destroy());
    try {
      yield chunk;
    } finally {
      stop();
    }
    stall.addBytes(chunk.length);
  }
}
