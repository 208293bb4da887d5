import type { IncomingMessage, ServerResponse } from 'node:http';
import { finished, Readable } from 'node:stream';
import { badRequest, tooManyRequests } from '@atrium/service-kit/http-error';

/** Who transfers a file to or from whom: an account, or the address of somebody without one. */
interface Transfer {
  who: string;
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
  /** At the same time, for each `who`. */
  uploads: number;
  downloads: number;
  /** How long the other side may do nothing, once it has been faster than `bytesPerSecond`. */
  graceMs: number;
  bytesPerSecond: number;
}

/** Slower than any network that people use: it only holds connections and memory. */
const LIMITS = { uploads: 8, downloads: 32, graceMs: 20_000, bytesPerSecond: 16 * 1024 };

export function createTransfers(limits: TransferLimits = LIMITS): Transfers {
  const countUpload = createCounter(limits.uploads);
  const countDownload = createCounter(limits.downloads);
  return {
    receive(body, transfer) {
      countUpload(transfer);
      return receive(body, limits);
    },
    send(content, transfer) {
      finished(transfer.response, () => content.destroy());
      countDownload(transfer);
      const sent = send(content, transfer.response, limits);
      return Readable.from(sent, { objectMode: false });
    },
  };
}

function createCounter(max: number) {
  const open = new Map<string, number>();
  return ({ who, response }: Transfer): void => {
    const count = open.get(who) ?? 0;
    if (count >= max) throw tooManyRequests('Too many files at the same time', 1);
    open.set(who, count + 1);
    finished(response, () => {
      const rest = (open.get(who) ?? 0) - 1;
      if (rest > 0) open.set(who, rest);
      else open.delete(who);
    });
  };
}

type Pace = Pick<TransferLimits, 'graceMs' | 'bytesPerSecond'>;

/** How much longer the other side may wait: each byte earns it time, waiting costs it. */
function allowance({ graceMs, bytesPerSecond }: Pace) {
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
    earn(bytes: number) {
      leftMs = Math.min(graceMs, leftMs + (bytes / bytesPerSecond) * 1000);
    },
  };
}

async function* receive(body: Readable, pace: Pace): AsyncGenerator<Uint8Array> {
  const waits = allowance(pace);
  const chunks: AsyncIterator<Uint8Array> = body[Symbol.asyncIterator]();
  for (;;) {
    const stop = waits.start(() => body.destroy(badRequest('The file arrives too slowly')));
    const next = await chunks.next().finally(() => stop());
    if (next.done === true) return;
    waits.earn(next.value.length);
    yield next.value;
  }
}

async function* send(
  content: Readable,
  response: ServerResponse,
  pace: Pace,
): AsyncGenerator<Uint8Array> {
  const waits = allowance(pace);
  for await (const chunk of content as AsyncIterable<Uint8Array>) {
    const stop = waits.start(() => response.destroy());
    try {
      yield chunk;
    } finally {
      stop();
    }
    waits.earn(chunk.length);
  }
}
