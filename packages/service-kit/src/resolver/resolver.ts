import type { LookupAddress } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';
import { LRUCache } from 'lru-cache';
import { createHostsFile, type HostsFile } from './hosts-file.ts';
import { LookupSlots } from './lookup-slots.ts';

/** All addresses of a name; rejects when there are none to be had. Look-ups are limited for each `slotKey`. */
export type ResolveHost = (hostname: string, slotKey: string) => Promise<LookupAddress[]>;

/** No answer came in time, from our name server or for want of a free slot. */
export class LookupTimeoutError extends Error {
  override name = 'LookupTimeoutError';
}

/** A name server answered that there is no address. */
class NoAddressError extends Error {
  override name = 'NoAddressError';
}

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
  queries?: AddressQueries | undefined;
  hostsFile?: HostsFile;
  clockMs?: () => number;
  /** Over both queries and their retries, waiting for a free slot included. */
  timeoutMs?: number;
  concurrency?: number;
  keyConcurrency?: number;
}

const TRY_MS = 1_500;
const TRIES = 2;
const TIMEOUT_MS = 5_000;
const CONCURRENT_MAX = 256;
const KEY_CONCURRENT_MAX = 16;
const CACHED_NAMES_MAX = 10_000;
/** Whatever the TTL of an answer. Each connection checks the addresses it gets from here. */
const CACHE_MAX_SECONDS = 30;
/** So that a burst of deliveries asks once for a name that fails. */
const FAILURE_CACHE_MS = 5_000;
/** Serving stale data while a name server is silent: RFC 8767 section 5 suggests a day or more. */
const STALE_MAX_MS = 86_400_000;
/** Our own name server is unreachable; anything else is an answer about the name. */
const SILENCE_CODES = new Set(['ETIMEOUT', 'ECONNREFUSED']);
const NO_ADDRESS_CODES = new Set(['ENOTFOUND', 'ENODATA']);
const LOOPBACK = ['127.0.0.1', '::1'];

/**
 * Resolves names by c-ares instead of getaddrinfo, which blocks one of libuv's four threads while a
 * name server is silent: a handful of dead names would hold up all deliveries. Like a system resolver
 * it reads the hosts file first and knows localhost (RFC 6761, section 6.3); unlike one it takes
 * every name as absolute and appends no search domain. While a name cannot be looked up, its last
 * addresses are served; each connection checks them again.
 */
export function createResolver(options: ResolverOptions = {}): ResolveHost {
  const { clockMs = Date.now, timeoutMs = TIMEOUT_MS } = options;
  const queries = options.queries ?? new Resolver({ timeout: TRY_MS, tries: TRIES });
  const hostsFile = options.hostsFile ?? createHostsFile('/etc/hosts', clockMs);
  const slots = new LookupSlots({
    concurrency: options.concurrency ?? CONCURRENT_MAX,
    keyConcurrency: options.keyConcurrency ?? KEY_CONCURRENT_MAX,
  });
  const cacheOptions = { max: CACHED_NAMES_MAX, perf: { now: clockMs }, ttlResolution: 0 };
  const fresh = new LRUCache<string, LookupAddress[]>(cacheOptions);
  const lastGood = new LRUCache<string, LookupAddress[]>({ ...cacheOptions, ttl: STALE_MAX_MS });
  const failures = new LRUCache<string, Error>({ ...cacheOptions, ttl: FAILURE_CACHE_MS });
  const pending = new Map<string, Promise<LookupAddress[]>>();

  async function lookUp(hostname: string, slotKey: string): Promise<LookupAddress[]> {
    const listed = await hostsFile(hostname);
    if (listed !== undefined) return listed.map(toLookupAddress);
    let isAsked = false;
    try {
      const { addresses, ttlSeconds } = await withDeadline(timeoutMs, hostname, (signal) =>
        slots.run(slotKey, signal, () => {
          isAsked = true;
          return query(queries, hostname);
        }),
      );
      // To lru-cache, a TTL of 0 means for ever.
      const ttl = Math.min(ttlSeconds, CACHE_MAX_SECONDS) * 1000;
      if (ttl > 0) fresh.set(hostname, addresses, { ttl });
      lastGood.set(hostname, addresses);
      return addresses;
    } catch (error) {
      if (error instanceof NoAddressError) lastGood.delete(hostname);
      const stale = lastGood.get(hostname);
      // What only waited for a slot says nothing about the name, so other keys still ask.
      if (isAsked && stale !== undefined) fresh.set(hostname, stale, { ttl: FAILURE_CACHE_MS });
      else if (isAsked && error instanceof Error) failures.set(hostname, error);
      if (stale !== undefined) return stale;
      throw error;
    }
  }

  return (name, slotKey) => {
    const hostname = name.toLowerCase().replace(/\.$/, '');
    if (isIP(hostname) !== 0) return Promise.resolve([toLookupAddress(hostname)]);
    if (hostname === 'localhost' || hostname.endsWith('.localhost')) {
      return Promise.resolve(LOOPBACK.map(toLookupAddress));
    }
    const cached = fresh.get(hostname);
    if (cached !== undefined) return Promise.resolve(cached);
    const failure = failures.get(hostname);
    if (failure !== undefined) return Promise.reject(failure);
    // Per key: what one account waits for must not hold up another.
    const key = `${slotKey} ${hostname}`;
    let answer = pending.get(key);
    if (answer === undefined) {
      answer = lookUp(hostname, slotKey).finally(() => pending.delete(key));
      pending.set(key, answer);
    }
    return answer;
  };
}

/** Asks for both families at once; one of them may fail or be empty. */
async function query(queries: AddressQueries, hostname: string) {
  const answers = await Promise.allSettled([
    queries.resolve4(hostname, { ttl: true }),
    queries.resolve6(hostname, { ttl: true }),
  ]);
  const found = answers.flatMap((each) => (each.status === 'fulfilled' ? each.value : []));
  if (found.length === 0) throw failureOf(hostname, answers);
  return {
    addresses: found.map(({ address }) => toLookupAddress(address)),
    ttlSeconds: Math.min(...found.map(({ ttl }) => ttl)),
  };
}

function failureOf(hostname: string, answers: readonly PromiseSettledResult<unknown>[]): Error {
  const causes = answers.flatMap((each): unknown[] =>
    each.status === 'rejected' ? [each.reason] : [],
  );
  const codes = causes.map((cause) =>
    cause instanceof Error && 'code' in cause ? String(cause.code) : '',
  );
  const silence = codes.find((code) => SILENCE_CODES.has(code));
  const [cause] = causes;
  if (silence !== undefined) {
    return new LookupTimeoutError(`${hostname} could not be resolved (${silence})`, { cause });
  }
  const message = `${hostname} has no address${codes[0] ? ` (${codes[0]})` : ''}`;
  return codes.every((code) => NO_ADDRESS_CODES.has(code))
    ? new NoAddressError(message, { cause })
    : new Error(message, { cause });
}

function toLookupAddress(address: string): LookupAddress {
  return { address, family: isIP(address) };
}

async function withDeadline<T>(
  timeoutMs: number,
  hostname: string,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const deadline = new AbortController();
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    const error = new LookupTimeoutError(
      `${hostname} could not be resolved within ${timeoutMs} ms`,
    );
    deadline.abort(error);
    reject(error);
  }, timeoutMs);
  try {
    return await Promise.race([work(deadline.signal), late]);
  } finally {
    clearTimeout(timer);
  }
}
