import { AtriumError } from './error.ts';

/** The time that one call has, with its repetitions and with waiting for a refresh. */
export interface Deadline {
  /** Aborted at the deadline or by the caller. */
  signal: AbortSignal;
  remainingMs(): number;
  /** Waits no longer than the call has: for work that goes on without it. */
  race<T>(work: Promise<T>): Promise<T>;
  /** @throws the caller's reason, or the Timeout, when the signal is aborted */
  throwIfOver(): void;
}

export interface DeadlineOptions {
  /** Ends the call, which then throws the reason of the signal. */
  signal?: AbortSignal | undefined;
  /** For the whole call with its repetitions; 30,000 by default. */
  deadlineMs?: number | undefined;
}

const DEADLINE_MS = 30_000;

export function startDeadline(options: DeadlineOptions): Deadline {
  const { signal: callers, deadlineMs = DEADLINE_MS } = options;
  const endMs = performance.now() + deadlineMs;
  const timeout = AbortSignal.timeout(deadlineMs);
  const signal = callers === undefined ? timeout : AbortSignal.any([callers, timeout]);

  function throwIfOver(): void {
    callers?.throwIfAborted();
    if (timeout.aborted) throw new AtriumError(0, 'Timeout', `No answer within ${deadlineMs} ms`);
  }

  return {
    signal,
    remainingMs: () => endMs - performance.now(),
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
