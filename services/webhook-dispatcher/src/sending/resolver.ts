import type { LookupAddress } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';
import { createHostsFile, type HostsFile } from './hosts-file.ts';

/** All addresses of a name; rejects when there are none or no answer came in time. */
export type ResolveHost = (hostname: string) => Promise<LookupAddress[]>;

interface FoundAddress {
  address: string;
  ttl: number;
}

/** The two questions that are asked about a name; those of `node:dns/promises`, for a test to stand in. */
export interface AddressQueries {
  resolve4(hostname: string, options: { ttl: true }): Promise<FoundAddress[]>;
  resolve6(hostname: string, options: { ttl: true }): Promise<FoundAddress[]>;
}

export interface ResolverOptions {
  queries?: AddressQueries;
  hostsFile?: HostsFile;
  clockMs?: () => number;
  /** Over both questions and every repetition, waiting for a turn included. */
  timeoutMs?: number;
  concurrency?: number;
}

const TRY_MS = 1_500;
const TRIES = 2;
const TIMEOUT_MS = 5_000;
const CONCURRENT_MAX = 256;
const CACHED_NAMES_MAX = 10_000;
/** However long an answer says that it holds. Every connection checks what it gets from here. */
const CACHE_MAX_SECONDS = 30;
const LOOPBACK = ['127.0.0.1', '::1'];

/**
 * Resolves names by c-ares instead of getaddrinfo, which takes one of libuv's four threads for as
 * long as a name server is silent: a handful of dead names would hold up every other delivery. As a
 * system resolver does, it first looks into the hosts file and knows localhost (RFC 6761, section
 * 6.3); unlike one, it reads every name as absolute and appends no search domain.
 */
export function createResolver(options: ResolverOptions = {}): ResolveHost {
  const { clockMs = Date.now, timeoutMs = TIMEOUT_MS } = options;
  const queries = options.queries ?? new Resolver({ timeout: TRY_MS, tries: TRIES });
  const hostsFile = options.hostsFile ?? createHostsFile('/etc/hosts', clockMs);
  const turns = createTurns(options.concurrency ?? CONCURRENT_MAX);
  const cache = new Map<string, { addresses: LookupAddress[]; untilMs: number }>();
  const underWay = new Map<string, Promise<LookupAddress[]>>();

  async function ask(hostname: string): Promise<LookupAddress[]> {
    const listed = await hostsFile(hostname);
    if (listed !== undefined) return listed.map(toLookupAddress);
    const { addresses, ttlSeconds } = await turns(() => query(queries, hostname));
    if (cache.size >= CACHED_NAMES_MAX) cache.clear();
    const heldMs = Math.min(ttlSeconds, CACHE_MAX_SECONDS) * 1000;
    cache.set(hostname, { addresses, untilMs: clockMs() + heldMs });
    return addresses;
  }

  return (name) => {
    const hostname = name.toLowerCase().replace(/\.$/, '');
    if (isIP(hostname) !== 0) return Promise.resolve([toLookupAddress(hostname)]);
    if (hostname === 'localhost' || hostname.endsWith('.localhost')) {
      return Promise.resolve(LOOPBACK.map(toLookupAddress));
    }
    const cached = cache.get(hostname);
    if (cached !== undefined && cached.untilMs > clockMs()) {
      return Promise.resolve(cached.addresses);
    }
    let asking = underWay.get(hostname);
    if (asking === undefined) {
      asking = within(timeoutMs, hostname, ask(hostname)).finally(() => underWay.delete(hostname));
      underWay.set(hostname, asking);
    }
    return asking;
  };
}

/** Both families at once. One of them may fail or be empty; the addresses of the other then count. */
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

/** Runs at most `max` at once; the others wait for their turn in order. */
function createTurns(max: number): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (work) => {
    if (running >= max) await new Promise<void>((resolve) => waiting.push(resolve));
    else running += 1;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next === undefined) running -= 1;
      else next();
    }
  };
}
