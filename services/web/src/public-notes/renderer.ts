import { hash } from 'node:crypto';
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { unavailable } from '@atrium/service-kit/http-error';
import { LRUCache } from 'lru-cache';
import pLimit from 'p-limit';
import type { RenderedNote } from './rendered-note.ts';

/** For 500 KB, which take a tenth of it. */
const DEADLINE_MS = 5000;
const QUEUE_MAX = 100;
const CACHE_CHARACTERS = 8_000_000;
const WORKER_MEMORY_MB = 128;

export interface NoteRenderer extends AsyncDisposable {
  /** @throws HttpError 503 when too many notes wait, or when this one takes too long */
  render(content: string): Promise<RenderedNote>;
}

/**
 * Renders notes one after another on a thread of its own, started with the first one: a long or hostile note
 * delays no other request. A thread that takes too long is replaced.
 */
export function createNoteRenderer(deadlineMs: number = DEADLINE_MS): NoteRenderer {
  const oneAtATime = pLimit(1);
  const cache = new LRUCache<string, RenderedNote>({
    maxSize: CACHE_CHARACTERS,
    sizeCalculation: ({ html }) => html.length + 1,
  });
  let worker: Worker | undefined;

  async function renderOnThread(content: string): Promise<RenderedNote> {
    worker ??= startWorker();
    const answer = once(worker, 'message', { signal: AbortSignal.timeout(deadlineMs) });
    worker.postMessage(content);
    try {
      const [rendered] = await answer;
      return rendered;
    } catch (error) {
      void worker.terminate();
      worker = undefined;
      throw unavailable('The note cannot be shown at the moment', 60, error);
    }
  }

  return {
    async render(content) {
      const key = hash('sha256', content);
      const cached = cache.get(key);
      if (cached !== undefined) return cached;
      if (oneAtATime.pendingCount >= QUEUE_MAX) throw unavailable('Too many notes are being read');
      const rendered = await oneAtATime(() => cache.get(key) ?? renderOnThread(content));
      cache.set(key, rendered);
      return rendered;
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
