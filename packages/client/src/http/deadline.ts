import { AtriumError } from './error.ts';

/** The time that one call has, with its repetitions and with waiting for a refresh. */
export interface Deadline {
  /** Aborted at the deadline or by the caller. */
  signal: AbortSignal;
  remainingMs(): number;
  /** The answer has begun: its body, which is read after the call, ends only by the caller. */
  lift: () => void;
  /** Waits no longer than the call has: for work that goes on without it. */
  race<T>(work: Promise<T>): Promise<T>;
  /** @throws the caller's reason, or the Timeout, when the signal is aborted */
  throwIfOver(): void;
}

export interface DeadlineOptions {
  /** Ends the call, which then throws the reason of the signal. */
  signal?: AbortSignal | undefined;
  /**
   * For the whole call with its repetitions, except the body of a download; 30,000 by default, and 3,600,000 for
   * an upload.
   */
  deadlineMs?: number | undefined;
}

const DEADLINE_MS = 30_000;
const UPLOAD_DEADLINE_MS = 3_600_000;

export function startDeadline(options: DeadlineOptions, isUpload = false): Deadline {
  const { signal: callers, deadlineMs = isUpload ? UPLOAD_DEADLINE_MS : DEADLINE_MS } = options;
  const endMs = performance.now() + deadlineMs;
  const timeout = new AbortController();
  let end = () => timeout.abort();
  AbortSignal.timeout(deadlineMs).addEventListener('abort', () => end());
  const signal = AbortSignal.any(callers ? [callers, timeout.signal] : [timeout.signal]);

  function throwIfOver(): void {
    callers?.throwIfAborted();
    if (timeout.signal.aborted)
      throw new AtriumError(0, 'Timeout', `No answer within ${deadlineMs} ms`);
  }

  return {
    signal,
    remainingMs: () => endMs - performance.now(),
    lift: () => {
      end = () => {};
    },
    throwIfOver,
    async race(work) {
      throwIfOver();
      let abort = () => {};
      const aborted = new Promise<never>((_resolve, reject) => {
        abort = () => reject(signal.reason);
      });
      signal.addEventListener('abort', abort, { once: true });
      try {
        return await Promise.race([work, aborted]);
      } catch (error) {
        throwIfOver();
        throw error;
      } finally {
        signal.removeEventListener('abort', abort);
      }
    },
  };
}
