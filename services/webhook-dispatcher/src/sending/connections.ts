import { LRUCache } from 'lru-cache';
import { buildConnector, Pool } from 'undici';
import {
  type AddressGuard,
  checkedLookup,
  literalAddress,
} from '@atrium/service-kit/address-guard';
import type { ResolveHost } from '@atrium/service-kit/resolver';
import { SharedSlots } from './shared-slots.ts';

const ORIGINS_MAX = 1_000;
const PARSED_URLS_MAX = 20_000;
const SWEEP_MS = 10_000;
/** An idle connection is closed after this; a receiver that closes its own sooner mostly says so. */
const KEEP_ALIVE_MS = 4_000;
const KEEP_ALIVE_MAX_MS = 60_000;
const IDLE_ORIGIN_MS = 60_000;

/** The connections to one receiver. Each request that waits or is in flight is counted in `activeCount`. */
export interface Origin {
  readonly pool: Pool;
  /** One for each connection, so that no request waits in the pool. */
  readonly slots: SharedSlots;
  /** The account whose request was started last: a connection is opened, and its name looked up, for that one. */
  accountId: string;
  /** The limited ones among the addresses of its host, once they are known. */
  limitedAddresses: readonly string[];
  activeCount: number;
  lastUsedMs: number;
}

export interface ConnectionsOptions {
  guard: AddressGuard;
  resolve: ResolveHost;
  allowHttp: boolean;
  connectTimeoutMs: number;
  connectionsPerOrigin: number;
  /** Addresses for which requests in flight are limited. */
  isAddressLimited: AddressGuard;
}

type ParsedUrl = { origin: string; path: string } | { rejection: string };

/**
 * The only way out to receivers: a socket is opened to an address that was just checked, so a name
 * cannot be pointed elsewhere between check and use. No proxy is read from the environment. Pools
 * are kept here because undici's Agent looks up two maps for each request and cannot bound origins.
 */
export class Connections implements AsyncDisposable {
  readonly #origins = new Map<string, Origin>();
  /** Parsing a URL costs as much as signing a delivery. */
  readonly #parsedUrls: LRUCache<string, ParsedUrl>;
  readonly #options: ConnectionsOptions;
  readonly #poolOptions: Pool.Options;
  readonly #sweep: NodeJS.Timeout;

  constructor(options: ConnectionsOptions) {
    this.#options = options;
    this.#parsedUrls = new LRUCache({
      max: PARSED_URLS_MAX,
      memoMethod: (url) => parseUrl(url, options),
    });
    this.#poolOptions = {
      connections: options.connectionsPerOrigin,
      pipelining: 1,
      allowH2: false,
      keepAliveTimeout: KEEP_ALIVE_MS,
      keepAliveMaxTimeout: KEEP_ALIVE_MAX_MS,
      // The sender has one deadline over everything, so undici's own are switched off.
      headersTimeout: 0,
      bodyTimeout: 0,
    };
    this.#sweep = setInterval(() => this.#closeIdle(IDLE_ORIGIN_MS), SWEEP_MS);
    this.#sweep.unref();
  }

  /** The connections to this URL's origin, opened as needed, or why it must not be requested. */
  to(url: string, accountId: string): { origin: Origin; path: string } | { rejection: string } {
    const parsed = this.#parsedUrls.memo(url);
    if ('rejection' in parsed) return parsed;
    const origin = this.#origins.get(parsed.origin) ?? this.#open(parsed.origin, accountId);
    return { origin, path: parsed.path };
  }

  #open(name: string, accountId: string): Origin {
    if (this.#origins.size >= ORIGINS_MAX) this.#closeIdle(0);
    const { guard, resolve, connectTimeoutMs, isAddressLimited } = this.#options;
    const connect = buildConnector({
      allowH2: false,
      timeout: connectTimeoutMs,
      lookup: checkedLookup(guard, async (hostname) => {
        const found = await resolve(hostname, origin.accountId);
        origin.limitedAddresses = found.map(({ address }) => address).filter(isAddressLimited);
        return found;
      }),
    });
    const pool = new Pool(name, { ...this.#poolOptions, connect });
    const literal = literalAddress(new URL(name));
    const origin: Origin = {
      pool,
      slots: new SharedSlots(this.#options.connectionsPerOrigin),
      accountId,
      limitedAddresses: literal !== undefined && isAddressLimited(literal) ? [literal] : [],
      activeCount: 0,
      lastUsedMs: performance.now(),
    };
    this.#origins.set(name, origin);
    return origin;
  }

  /** Origins in use stay; their number is bounded by the requests in flight. */
  #closeIdle(idleMs: number): void {
    const usedBeforeMs = performance.now() - idleMs;
    for (const [name, { pool, activeCount, lastUsedMs }] of this.#origins) {
      if (activeCount > 0 || lastUsedMs > usedBeforeMs) continue;
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

/** A literal address never reaches the resolver, so it is checked here, and so is the scheme. */
function parseUrl(
  text: string,
  { guard, allowHttp }: Pick<ConnectionsOptions, 'guard' | 'allowHttp'>,
): ParsedUrl {
  const url = URL.parse(text);
  if (url === null) return { rejection: 'The URL is not valid' };
  if (url.protocol !== 'https:' && !(allowHttp && url.protocol === 'http:')) {
    return { rejection: 'The URL does not use https' };
  }
  const literal = literalAddress(url);
  if (literal !== undefined && !guard(literal)) {
    return { rejection: 'The host has a private or reserved address' };
  }
  return { origin: url.origin, path: url.pathname + url.search };
}
