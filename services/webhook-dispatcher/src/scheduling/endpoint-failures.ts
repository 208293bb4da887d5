import type { Logger } from '@atrium/service-kit/logger';
import type { HealthStore } from './endpoint-failures-store.ts';
import type { AttemptRecord } from '../sending/deliver.ts';
import type { LeasedDelivery } from '../sending/deliver.ts';

/** How long what was learned gathers, so that a burst of failures makes one statement. */
const GATHER_MS = 100;
const KNOWN_MAX = 50_000;
/** After this the database is told again: its owner may have enabled it anew. */
const KNOWN_FOR_MS = 60_000;

/**
 * Keeps what attempts tell about their endpoints: since when one fails, that it is gone. Steady
 * endpoints cost nothing: only a change is written. What cannot be written now is learned again
 * from the next attempt.
 */
export class EndpointHealth implements AsyncDisposable {
  readonly #store: HealthStore;
  readonly #logger: Logger;
  /** Endpoints noted here as failing, and when: rows leased earlier do not know it yet. */
  readonly #known = new Map<string, number>();
  readonly #failing = new Set<string>();
  readonly #stillFailing = new Set<string>();
  readonly #recovered = new Set<string>();
  readonly #gone = new Map<string, string>();
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();

  constructor(store: HealthStore, logger: Logger) {
    this.#store = store;
    this.#logger = logger;
  }

  observe(record: AttemptRecord, delivery: LeasedDelivery): void {
    const { subscriptionId: id, endpoint } = delivery;
    if (record.state === 'delivered') {
      if (!this.#known.delete(id) && endpoint.failingSinceMs === null) return;
      this.#failing.delete(id);
      this.#stillFailing.delete(id);
      this.#recovered.add(id);
    } else if (record.disableReason !== null) this.#gone.set(id, record.disableReason);
    else if (endpoint.failingSinceMs !== null) this.#stillFailing.add(id);
    else if (this.#isKnown(id)) return;
    else {
      if (this.#known.size >= KNOWN_MAX) this.#known.clear();
      this.#known.set(id, Date.now());
      this.#failing.add(id);
    }
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#writing = this.#writing.then(() => this.#write());
    }, GATHER_MS);
  }

  #isKnown(id: string): boolean {
    return (this.#known.get(id) ?? 0) > Date.now() - KNOWN_FOR_MS;
  }

  async #write(): Promise<void> {
    const recovered = take(this.#recovered);
    const failing = take(this.#failing);
    const stillFailing = take(this.#stillFailing);
    const gone = [...this.#gone];
    this.#gone.clear();
    try {
      if (recovered.length > 0) await this.#store.recovered(recovered);
      if (failing.length > 0) await this.#store.startedFailing(failing);
      if (stillFailing.length > 0) await this.#store.disableAfterFiveDays(stillFailing);
      for (const [id, reason] of gone) await this.#store.disable(id, reason);
    } catch (error) {
      for (const id of failing) this.#known.delete(id);
      this.#logger.warn({ err: error }, 'the health of endpoints could not be stored');
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearTimeout(this.#timer);
    this.#writing = this.#writing.then(() => this.#write());
    await this.#writing;
  }
}

function take(ids: Set<string>): string[] {
  const taken = [...ids];
  ids.clear();
  return taken;
}
