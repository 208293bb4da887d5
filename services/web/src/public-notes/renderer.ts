import { type ChildProcess, fork } from 'node:child_process';
import { hash } from 'node:crypto';
import { once } from 'node:events';
import { type HttpError, unavailable } from '@atrium/service-kit/http-error';
import { networkOf } from '@atrium/service-kit/rate-limit/address';
import { LRUCache } from 'lru-cache';
import pLimit, { type LimitFunction } from 'p-limit';
import type { NoteSource, RenderedNote } from './rendered-note.ts';

/** For 500 KB, which take a tenth of it. */
const DEADLINE_MS = 5000;
const START_DEADLINE_MS = 30_000;
const QUEUE_MAX = 100;
const QUEUE_OF_READER_MAX = 5;
const CACHE_CHARACTERS = 8_000_000;
/** How long a note that took too long is not tried again. */
const REFUSED_MS = 300_000;
const REFUSED_MAX = 10_000;
const HEAP_MB = 128;

export interface NoteRenderer extends AsyncDisposable {
  /**
   * @param ip the IP address of the reader
   * @throws HttpError 503 when too many notes wait, or when this one takes too long or becomes too much HTML
   */
  render(source: NoteSource, ip: string): Promise<RenderedNote>;
}

/**
 * Renders notes one after another in a process of its own: a long or hostile note delays no other request,
 * and ends no other process when it takes too much memory, as it might from a thread. A note that cannot be
 * rendered is refused for a while. If it takes too long, or ends a process started for it, the process is replaced.
 * Round-robin between IP addresses: at most one note of each is in the queue, so one delays the others by one note.
 */
export function createNoteRenderer(
  { NODE_OPTIONS, MALLOC_ARENA_MAX, MALLOC_MMAP_THRESHOLD_ }: NodeJS.ProcessEnv,
  deadlineMs: number = DEADLINE_MS,
): NoteRenderer {
  const oneAtATime = pLimit(1);
  const queues = new Map<string, LimitFunction>();
  const cache = new LRUCache<string, RenderedNote>({
    maxSize: CACHE_CHARACTERS,
    sizeCalculation: ({ html }) => html.length + 1,
  });
  const refused = new LRUCache<string, true>({ max: REFUSED_MAX, ttl: REFUSED_MS });
  let child: ChildProcess | undefined;

  /** Resolves when the process is ready; it is `child` until it ends. */
  async function startProcess(): Promise<ChildProcess> {
    const started = fork(new URL('render-process.ts', import.meta.url), {
      // No secret is for a process that reads hostile notes, only what images set for Node and its memory.
      env: { NODE_OPTIONS, MALLOC_ARENA_MAX, MALLOC_MMAP_THRESHOLD_ },
      execArgv: [`--max-old-space-size=${HEAP_MB}`],
      serialization: 'advanced',
      // It writes nothing but what Node says about a heap that is full.
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    child = started;
    // What is sent to it may fail too; without a request that waits, its errors are nobody's.
    started.on('error', () => undefined);
    started.once('exit', (code, signal) => {
      if (child === started) child = undefined;
      started.emit('error', new Error(`The process that renders ended with ${signal ?? code}`));
    });
    try {
      await once(started, 'message', { signal: AbortSignal.timeout(START_DEADLINE_MS) });
      return started;
    } catch (error) {
      endProcess();
      throw unavailable('The note cannot be shown at the moment', undefined, error);
    }
  }

  function endProcess(): void {
    child?.kill('SIGKILL');
    child = undefined;
  }

  function refuse(key: string, cause: unknown): HttpError {
    refused.set(key, true);
    return unavailable('The note cannot be shown at the moment', REFUSED_MS / 1000, cause);
  }

  async function renderInProcess(key: string, source: NoteSource): Promise<RenderedNote> {
    const cached = cache.get(key);
    if (cached !== undefined) return cached;
    if (refused.has(key)) throw unavailable('The note cannot be shown', REFUSED_MS / 1000);
    const isNew = child === undefined;
    const running = child ?? (await startProcess());
    const deadline = AbortSignal.timeout(deadlineMs);
    let answer: RenderedNote | Error;
    try {
      running.send(source);
      [answer] = await once(running, 'message', { signal: deadline });
    } catch (error) {
      endProcess();
      // An older process may have ended before it got the note.
      if (!isNew && !deadline.aborted) return renderInProcess(key, source);
      throw refuse(key, error);
    }
    if (answer instanceof Error) throw refuse(key, answer);
    cache.set(key, answer);
    return answer;
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
        cache.get(key) ?? (await enqueue(networkOf(ip) ?? ip, () => renderInProcess(key, source)))
      );
    },
    async [Symbol.asyncDispose]() {
      if (child === undefined) return;
      // `once` would throw the error that is made of the exit.
      const { promise: ended, resolve } = Promise.withResolvers<unknown>();
      child.once('exit', resolve).kill('SIGKILL');
      await ended;
    },
  };
}
