import { isTransient } from './error.ts';
import { readEventStream, type StreamBlock } from './event-stream.ts';
import { backoffMs } from './retry.ts';
import type { CallOptions } from './send.ts';

/** The service sends a heartbeat every 15 s. */
const SILENCE_MAX_MS = 40_000;

/**
 * Reads server-sent events over lost connections and new access tokens, until the signal is aborted;
 * `disconnected` when the service cannot be reached at the moment.
 *
 * @throws AtriumError when the service refuses
 */
export async function* followStream(
  open: (options: CallOptions) => Promise<ReadableStream<Uint8Array>>,
  signal: AbortSignal,
): AsyncGenerator<StreamBlock | 'disconnected'> {
  let lastEventId: string | undefined;
  for (let attempt = 1; !signal.aborted; attempt += 1) {
    const silent = new AbortController();
    let timer = setTimeout(() => silent.abort(), SILENCE_MAX_MS);
    try {
      const stream = await open({
        signal: AbortSignal.any([signal, silent.signal]),
        headers: lastEventId === undefined ? {} : { 'last-event-id': lastEventId },
      });
      for await (const block of readEventStream(stream)) {
        clearTimeout(timer);
        timer = setTimeout(() => silent.abort(), SILENCE_MAX_MS);
        attempt = 0;
        lastEventId = block.id ?? lastEventId;
        yield block;
      }
    } catch (error) {
      if (signal.aborted) return;
      if (isRejection(error)) throw error;
    } finally {
      clearTimeout(timer);
    }
    // An end is nothing to speak of unless the stream cannot be opened again.
    if (attempt > 0) yield 'disconnected';
    await wait(backoffMs(Math.max(attempt, 1)), signal);
  }
}

function isRejection(error: unknown): boolean {
  return error instanceof Error && error.name === 'AtriumError' && !isTransient(error);
}

async function wait(delayMs: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  await new Promise<void>((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, delayMs);
    signal.addEventListener('abort', end);
  });
}
