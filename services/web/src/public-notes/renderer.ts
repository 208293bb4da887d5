import { hash } from 'node:crypto';
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { unavailable } from '@atrium/service-kit/http-error';
import { networkOf } from '@atrium/service-kit/rate-limit/address';
import { LRUCache } from 'lru-cache';
import pLimit, { type LimitFunction } from 'p-limit';
import type { NoteSource, RenderedNote } from './rendered-note.ts';

/** For 500 KB, which take a tenth of it. */
const DEADLINE_MS = 5000;
const QUEUE_MAX = 100;
const QUEUE_OF_READER_MAX = 5;
const CACHE_CHARACTERS = 8_000_000;
/** How long a note that took too long is not tried again. */
const REFUSED_MS = 300_000;
const REFUSED_MAX = 10_000;
const WORKER_MEMORY_MB = 128;

export interface NoteRenderer extends AsyncDisposable {
  /**
   * @param ip the IP address of the reader
   * @throws HttpError 503 when too many notes wait, or when this one takes too long
   */
  render(source: NoteSource, ip: string): Promise<RenderedNote>;
}

/**
 * Renders notes one after another on a thread of its own: a long or hostile note delays no other request.
 * A thread that takes too long is replaced, and the note refused for a while. Round-robin
 * between IP addresses: at most one note of each is in the queue, so one delays the others by one note.
 */
export function createNoteRenderer(deadlineMs: number = DEADLINE_MS): NoteRenderer {
  const oneAtATime = pLimit(1);
  const queues = new Map<string, LimitFunction>();
  const cache = new LRUCache<string, RenderedNote>({
    maxSize: CACHE_CHARACTERS,
    sizeCalculation: ({ html }) => html.length + 1,
  });
  const refused = new LRUCache<string, true>({ max: REFUSED_MAX, ttl: REFUSED_MS });
  let worker: Worker | undefined;

  async function renderOnThread(key: string, source: NoteSource): Promise<RenderedNote> {
    const cached = cache.get(key);
    if (cached !== undefined) return cached;
    if (refused.has(key)) throw unavailable('The note cannot be shown', REFUSED_MS / 1000);
    worker ??= startWorker();
    const answer = once(worker, 'message', { signal: AbortSignal.timeout(deadlineMs) });
    worker.postMessage(source);
    try {
      const [rendered] = await answer;
      cache.set(key, rendered);
      return rendered;
    } catch (error) {
      void worker.terminate();
      worker = undefined;
      refused.set(key, true);
      throw unavailable('The note cannot be shown at the moment', REFUSED_MS / 1000, error);
    }
  }

  async function enqueue<Result>(reader: string, work: () => Promise<Result>): Promise<Result> {
    const own = queues.get(reader) ?? pLimit(1);
    if (own.pendingCount >= QUEUE_OF_READER_MAX || oneAtATime.pendingCount >= QUEUE_MAX) {
      throw unavailable('Too many notes are being read');
    }
    queues.set(reader, own);
    try {
      return await own(() => oneAtATime(work));
    } finally {
      if (own.activeCount + own.pendingCount === 0) queues.delete(reader);
    }
  }

  return {
    async render(source, ip) {
      const key = hash('sha256', `${source.attachmentsAt}\n${source.content}`);
      return (
        cache.get(key) ?? (await enqueue(networkOf(ip) ?? ip, () => renderOnThread(key, source)))
      );
    },
    async [Symbol.asyncDispose]() {
      await worker?.terminate();
    },
  };
}

/** Its errors are those of a request; one that comes too late must not end this process. */
function startWorker(): Worker {
  return new Worker(new URL('render-worker.ts', import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: WORKER_MEMORY_MB },
  }).on('error', () => undefined);
}
