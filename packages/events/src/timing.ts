const BACKOFF_FIRST_MS = 100;
const BACKOFF_MAX_MS = 5_000;

/** Milliseconds to wait after this many earlier failures: doubling, capped, with jitter. */
export function backoffMs(failures: number): number {
  const limit = Math.min(
    BACKOFF_FIRST_MS * 2 ** Math.min(Math.max(failures, 0), 10),
    BACKOFF_MAX_MS,
  );
  return limit * (0.5 + Math.random() / 2);
}

/** Waits until the time has passed or the signal is aborted. Never rejects. */
export async function sleep(durationMs: number, signal?: AbortSignal): Promise<void> {
  if (signal?.aborted === true) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  const wake = () => resolve();
  const timer = setTimeout(wake, durationMs);
  signal?.addEventListener('abort', wake);
  await promise;
  clearTimeout(timer);
  signal?.removeEventListener('abort', wake);
}

/** The promise, or a rejection as soon as the signal is aborted. */
export async function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  const aborted = Promise.withResolvers<never>();
  const abort = () => aborted.reject(signal.reason);
  if (signal.aborted) abort();
  signal.addEventListener('abort', abort);
  try {
    return await Promise.race([promise, aborted.promise]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}

/** Waits until the promise settles, at most this long. Never rejects. */
export async function within(promise: Promise<unknown>, limitMs: number): Promise<void> {
  const limit = new AbortController();
  const settled = promise.then(
    () => limit.abort(),
    () => limit.abort(),
  );
  await Promise.race([settled, sleep(limitMs, limit.signal)]);
}

/** Ends a wait early. A notification between two waits ends the next one at once. */
export class Wakeup {
  #notified = false;
  #resolve: (() => void) | undefined;

  notify(): void {
    this.#notified = true;
    this.#resolve?.();
  }

  async wait(timeoutMs: number): Promise<void> {
    if (!this.#notified) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#resolve = resolve;
      const timer = setTimeout(resolve, timeoutMs);
      await promise;
      clearTimeout(timer);
      this.#resolve = undefined;
    }
    this.#notified = false;
  }
}
