import type { Rest } from './resting-endpoints.ts';

/** Consecutive requests without an answer (connection refused, deadline) that open the circuit. */
const UNANSWERED_MAX = 5;
/** Consecutive failures of any kind that open it. */
const FAILURES_MAX = 20;
const OPEN_MIN_MS = 1_000;
const OPEN_MAX_MS = 30_000;

export type CircuitState = 'closed' | 'open' | 'half-open';

/**
 * Pauses an endpoint that is down, so that its deliveries use no slots and no attempts: closed while
 * it answers well; open for 1 s, doubling to 30 s, once it does not; then half-open for one trial
 * request, which decides (M. Nygard, Release It!, "Circuit Breaker").
 */
export class CircuitBreaker {
  #unanswered = 0;
  #failures = 0;
  #timesOpened = 0;
  #openUntilMs = 0;

  state(nowMs: number): CircuitState {
    if (this.#timesOpened === 0) return 'closed';
    return nowMs < this.#openUntilMs ? 'open' : 'half-open';
  }

  /** Until when it is open, and after how many failures in a row; null while it is closed. */
  get rest(): Rest | null {
    if (this.#timesOpened === 0) return null;
    return { failures: this.#failures, untilMs: this.#openUntilMs };
  }

  succeed(): void {
    this.#unanswered = 0;
    this.#failures = 0;
    this.#timesOpened = 0;
  }

  fail(nowMs: number, { isAnswered }: { isAnswered: boolean }): void {
    const state = this.state(nowMs);
    // Requests that were in flight when it opened say nothing new.
    if (state === 'open') return;
    this.#unanswered = isAnswered ? 0 : this.#unanswered + 1;
    this.#failures += 1;
    const isDown = this.#unanswered >= UNANSWERED_MAX || this.#failures >= FAILURES_MAX;
    if (state === 'closed' && !isDown) return;
    this.#openUntilMs = nowMs + Math.min(OPEN_MIN_MS * 2 ** this.#timesOpened, OPEN_MAX_MS);
    this.#timesOpened += 1;
  }
}
