import { atMost } from '@atrium/service-kit/at-most';
import type { Logger } from '@atrium/service-kit/logger';
import { LRUCache } from 'lru-cache';
import type { Attempt, LeasedDelivery } from '../sending/deliver.ts';
import type { EndpointFailuresStore, GoneEndpoint } from './endpoint-failures-store.ts';

/** Changes are collected for this long, so that a burst of failures makes one statement. */
const COLLECT_MS = 100;
const KNOWN_MAX = 50_000;
/** After this a failing endpoint is written again: its owner may have enabled it anew. */
const KNOWN_FOR_MS = 60_000;

/**
 * Writes down since when an endpoint fails, and disables it when it is gone or has failed for five
 * days. Only changes are written. What cannot be written now is learned again from the next attempt.
 */
export class EndpointFailures implements AsyncDisposable {
  readonly #store: EndpointFailuresStore;
  readonly #logger: Logger;
  /** Endpoints just written as failing: deliveries that were leased before do not show it. */
  readonly #known = new LRUCache<string, true>({
    ...atMost(KNOWN_MAX),
    ttl: KNOWN_FOR_MS,
    perf: Date,
  });
  readonly #failing = new Set<string>();
  readonly #stillFailing = new Set<string>();
  readonly #recovered = new Set<string>();
  readonly #gone = new Map<string, GoneEndpoint>();
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();

  constructor(store: EndpointFailuresStore, logger: Logger) {
    this.#store = store;
    this.#logger = logger;
  }

  observe({ outcome }: Pick<Attempt, 'outcome'>, delivery: LeasedDelivery): void {
    const { subscriptionId: id, endpoint } = delivery;
    if (outcome === 'delivered') {
      if (!this.#known.delete(id) && endpoint.failingSinceMs === null) return;
      this.#failing.delete(id);
      this.#stillFailing.delete(id);
      this.#recovered.add(id);
    } else if (outcome === 'gone') this.#gone.set(id, { id, url: endpoint.url });
    else if (endpoint.failingSinceMs !== null) {
      // Its last failure may have been days ago: one attempt says nothing of them.
      if (outcome !== 'exhausted') return;
      this.#stillFailing.add(id);
    } else if (this.#known.has(id)) return;
    else {
      this.#known.set(id, true);
      this.#failing.add(id);
    }
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#writing = this.#writing.then(() => this.#write());
    }, COLLECT_MS);
  }

  async #write(): Promise<void> {
    const recovered = takeAll(this.#recovered);
    const failing = takeAll(this.#failing);
    const stillFailing = takeAll(this.#stillFailing);
    const gone = [...this.#gone.values()];
    this.#gone.clear();
    try {
      if (recovered.length > 0) await this.#store.markRecovered(recovered);
      if (failing.length > 0) await this.#store.markFailing(failing);
      if (stillFailing.length > 0) await this.#store.disableAfterFiveDays(stillFailing);
      if (gone.length > 0) await this.#store.disableGone(gone);
    } catch (error) {
      for (const id of failing) this.#known.delete(id);
      this.#logger.warn({ err: error }, 'endpoint failures could not be stored');
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearTimeout(this.#timer);
    this.#writing = this.#writing.then(() => this.#write());
    await this.#writing;
  }
}

function takeAll(ids: Set<string>): string[] {
  const taken = [...ids];
  ids.clear();
  return taken;
}
