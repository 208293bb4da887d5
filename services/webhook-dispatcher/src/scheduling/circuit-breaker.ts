/** Requests in a row without any answer (connection refused, deadline) that open the circuit. */
const UNANSWERED_MAX = 5;
/** Failures of any kind in a row that open it. */
const FAILURES_MAX = 20;
const OPEN_MIN_MS = 1_000;
const OPEN_MAX_MS = 30_000;

export type CircuitState = 'closed' | 'open' | 'half-open';

/**
 * Pauses an endpoint that is down, so that its deliveries take no places and cost it no attempts:
 * closed while it answers well; open for 1 s, doubling to 30 s, once it does not; then half-open for
 * one request, which decides (M. Nygard, Release It!, "Circuit Breaker").
 */
export class CircuitBreaker {
  #unanswered = 0;
  #failures = 0;
  #openings = 0;
  #openUntilMs = 0;

  state(nowMs: number): CircuitState {
    if (this.#openings === 0) return 'closed';
    return nowMs < this.#openUntilMs ? 'open' : 'half-open';
  }

  succeeded(): void {
    this.#unanswered = 0;
    this.#failures = 0;
    this.#openings = 0;
  }

  failed(nowMs: number, { answered }: { answered: boolean }): void {
    const state = this.state(nowMs);
    // Requests that were under way when it opened say nothing new.
    if (state === 'open') return;
    this.#unanswered = answered ? 0 : this.#unanswered + 1;
    this.#failures += 1;
    const enough = this.#unanswered >= UNANSWERED_MAX || this.#failures >= FAILURES_MAX;
    if (state === 'closed' && !enough) return;
    this.#openUntilMs = nowMs + Math.min(OPEN_MIN_MS * 2 ** this.#openings, OPEN_MAX_MS);
    this.#openings += 1;
  }
}
