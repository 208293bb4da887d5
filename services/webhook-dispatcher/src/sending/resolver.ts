import type { LookupAddress } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';
import { LRUCache } from 'lru-cache';
import pLimit from 'p-limit';
import { createHostsFile, type HostsFile } from './hosts-file.ts';

/** All addresses of a name; rejects when there are none or no answer came in time. */
export type ResolveHost = (hostname: string) => Promise<LookupAddress[]>;

interface FoundAddress {
  address: string;
  ttl: number;
}

/** The DNS queries made for a name: those of `node:dns/promises`, or a test's. */
export interface AddressQueries {
  resolve4(hostname: string, options: { ttl: true }): Promise<FoundAddress[]>;
  resolve6(hostname: string, options: { ttl: true }): Promise<FoundAddress[]>;
}

export interface ResolverOptions {
  queries?: AddressQueries;
  hostsFile?: HostsFile;
  clockMs?: () => number;
  /** Over both queries and their retries, waiting for a free slot included. */
  timeoutMs?: number;
  concurrency?: number;
}

const TRY_MS = 1_500;
const TRIES = 2;
const TIMEOUT_MS = 5_000;
const CONCURRENT_MAX = 256;
const CACHED_NAMES_MAX = 10_000;
/** Whatever the TTL of an answer. Each connection checks the addresses it gets from here. */
const CACHE_MAX_SECONDS = 30;
const LOOPBACK = ['127.0.0.1', '::1'];

/**
 * Resolves names by c-ares instead of getaddrinfo, which blocks one of libuv's four threads while a
 * name server is silent: a handful of dead names would hold up all deliveries. Like a system resolver
 * it reads the hosts file first and knows localhost (RFC 6761, section 6.3); unlike one it takes
 * every name as absolute and appends no search domain.
 */
export function createResolver(options: ResolverOptions = {}): ResolveHost {
  const { clockMs = Date.now, timeoutMs = TIMEOUT_MS } = options;
  const queries = options.queries ?? new Resolver({ timeout: TRY_MS, tries: TRIES });
  const hostsFile = options.hostsFile ?? createHostsFile('/etc/hosts', clockMs);
  const limit = pLimit(options.concurrency ?? CONCURRENT_MAX);
  const cache = new LRUCache<string, LookupAddress[]>({
    max: CACHED_NAMES_MAX,
    perf: { now: clockMs },
    ttlResolution: 0,
  });
  const pending = new Map<string, Promise<LookupAddress[]>>();

  async function ask(hostname: string): Promise<LookupAddress[]> {
    const listed = await hostsFile(hostname);
    if (listed !== undefined) return listed.map(toLookupAddress);
    const { addresses, ttlSeconds } = await limit(() => query(queries, hostname));
    // To lru-cache, a TTL of 0 means for ever.
    const ttl = Math.min(ttlSeconds, CACHE_MAX_SECONDS) * 1000;
    if (ttl > 0) cache.set(hostname, addresses, { ttl });
    return addresses;
  }

  return (name) => {
    const hostname = name.toLowerCase().replace(/\.$/, '');
    if (isIP(hostname) !== 0) return Promise.resolve([toLookupAddress(hostname)]);
    if (hostname === 'localhost' || hostname.endsWith('.localhost')) {
      return Promise.resolve(LOOPBACK.map(toLookupAddress));
    }
    const cached = cache.get(hostname);
    if (cached !== undefined) return Promise.resolve(cached);
    let answer = pending.get(hostname);
    if (answer === undefined) {
      answer = within(timeoutMs, hostname, ask(hostname)).finally(() => pending.delete(hostname));
      pending.set(hostname, answer);
    }
    return answer;
  };
}

/** Asks for both families at once; one of them may fail or be empty. */
async function query(queries: AddressQueries, hostname: string) {
  const [v4, v6] = await Promise.allSettled([
    queries.resolve4(hostname, { ttl: true }),
    queries.resolve6(hostname, { ttl: true }),
  ]);
  const found = [v4, v6].flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  if (found.length === 0) {
    const cause: unknown = v4.status === 'rejected' ? v4.reason : undefined;
    const code = cause instanceof Error && 'code' in cause ? ` (${String(cause.code)})` : '';
    throw new Error(`${hostname} has no address${code}`, { cause });
  }
  return {
    addresses: found.map(({ address }) => toLookupAddress(address)),
    ttlSeconds: Math.min(...found.map(({ ttl }) => ttl)),
  };
}

function toLookupAddress(address: string): LookupAddress {
  return { address, family: isIP(address) };
}

async function within<T>(timeoutMs: number, hostname: string, work: Promise<T>): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    reject(new Error(`${hostname} could not be resolved within ${timeoutMs} ms`));
  }, timeoutMs);
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
