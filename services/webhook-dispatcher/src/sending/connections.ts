import { buildConnector, Pool } from 'undici';
import { type AddressGuard, checkedLookup } from './address-guard.ts';
import type { ResolveHost } from './resolver.ts';

const ORIGINS_MAX = 1_000;
const SWEEP_MS = 10_000;
/** An idle connection is closed after this; a receiver that closes its own sooner mostly says so. */
const KEEP_ALIVE_MS = 4_000;
const KEEP_ALIVE_MAX_MS = 60_000;
const IDLE_ORIGIN_MS = 60_000;

/** The connections to one receiver. Whoever uses them counts itself in `active`. */
export interface Origin {
  readonly pool: Pool;
  active: number;
  lastUsedMs: number;
}

export interface ConnectionsOptions {
  guard: AddressGuard;
  resolve: ResolveHost;
  connectTimeoutMs: number;
  connectionsPerOrigin: number;
  originsMax?: number;
}

/**
 * The only way out to receivers: a socket is opened to an address that has just been checked, so a
 * name cannot be pointed elsewhere between check and use. No proxy is read from the environment.
 * A pool for each origin is kept here rather than in undici's Agent, which looks up two maps for each
 * request and keeps no bound on origins without failing.
 */
export class Connections implements AsyncDisposable {
  readonly #origins = new Map<string, Origin>();
  readonly #originsMax: number;
  readonly #options: Pool.Options;
  readonly #sweep: NodeJS.Timeout;

  constructor(options: ConnectionsOptions) {
    this.#originsMax = options.originsMax ?? ORIGINS_MAX;
    this.#options = {
      connections: options.connectionsPerOrigin,
      pipelining: 1,
      allowH2: false,
      keepAliveTimeout: KEEP_ALIVE_MS,
      keepAliveMaxTimeout: KEEP_ALIVE_MAX_MS,
      // The sender keeps one deadline over everything; undici's own are switched off.
      headersTimeout: 0,
      bodyTimeout: 0,
      connect: buildConnector({
        allowH2: false,
        timeout: options.connectTimeoutMs,
        lookup: checkedLookup(options.guard, options.resolve),
      }),
    };
    this.#sweep = setInterval(() => this.#closeIdle(IDLE_ORIGIN_MS), SWEEP_MS);
    this.#sweep.unref();
  }

  /** The connections to an origin, such as `https://example.com`, opened as they are needed. */
  to(name: string): Origin {
    let origin = this.#origins.get(name);
    if (origin === undefined) {
      if (this.#origins.size >= this.#originsMax) this.#closeIdle(0);
      origin = { pool: new Pool(name, this.#options), active: 0, lastUsedMs: performance.now() };
      this.#origins.set(name, origin);
    }
    return origin;
  }

  get originCount(): number {
    return this.#origins.size;
  }

  /** Those in use stay, and are bounded by the number of requests under way. */
  #closeIdle(idleMs: number): void {
    const usedBeforeMs = performance.now() - idleMs;
    for (const [name, { pool, active, lastUsedMs }] of this.#origins) {
      if (active > 0 || lastUsedMs > usedBeforeMs) continue;
      this.#origins.delete(name);
      void pool.close();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#sweep);
    const pools = [...this.#origins.values()].map(({ pool }) => pool.destroy());
    this.#origins.clear();
    await Promise.all(pools);
  }
}
