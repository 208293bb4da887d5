import { createPublicKey } from 'node:crypto';
import { JsonWebKeySet } from '@atrium/contracts/auth/tokens';
import { Value } from 'typebox/value';
import { unavailable } from '../http-error.ts';
import type { Logger } from '../logger.ts';

/** Keys older than this are fetched again by the next request. A key that is missing then is not honoured any more. */
const MAX_AGE_MS = 60_000;
/** Any request can name an unknown key; a new one must not stay unknown for long either. */
const REFETCH_INTERVAL_MS = 5000;
/** While there is no key at all, every request would ask for one. */
const FIRST_FETCH_INTERVAL_MS = 1000;

export interface KeySet {
  /** Grows by one whenever the keys change. Reading it refreshes an old set in the background. */
  readonly version: number;
  /** The cached public key in PEM, at once. */
  find(keyId: string): string | undefined;
  /**
   * The key, fetched when it is unknown and the last fetch is not too recent.
   * @throws HttpError 503 when no key set could be fetched yet
   */
  load(keyId: string): Promise<string | undefined>;
}

export interface FetchedKeySet extends KeySet {
  /** For readiness: fetches the keys while there are none. @throws HttpError 503 when it has none */
  check(): Promise<void>;
}

/** Ed25519 public keys by their id; keys of other kinds are passed over. */
function parseKeys(document: unknown): Map<string, string> {
  if (!Value.Check(JsonWebKeySet, document)) {
    throw new TypeError('The key set is not a list of public keys');
  }
  const ed25519 = document.keys.filter((key) => key.kty === 'OKP');
  return new Map(
    ed25519.map(({ kid, kty, crv, x }) => [
      kid,
      createPublicKey({ format: 'jwk', key: { kty, crv, x } })
        .export({ type: 'spki', format: 'pem' })
        .toString(),
    ]),
  );
}

/**
 * The auth service's public keys (RFC 7517), cached, so that tokens are verified while auth is down.
 * An unknown key id makes it fetch again, at most once in 5 s, however many
 * requests name one; a set older than a minute is refreshed in the background.
 *
 * @param options.url of the JSON Web Key Set
 * @param options.fetchTimeoutMs 2000
 */
export function createKeySet(options: {
  url: string;
  fetchTimeoutMs?: number;
  clockMs?: () => number;
  logger?: Logger;
}): FetchedKeySet {
  const { url, fetchTimeoutMs = 2000, clockMs = Date.now } = options;
  let keys = new Map<string, string>();
  let version = 0;
  let lastAttemptMs = Number.NEGATIVE_INFINITY;
  let fetchedAtMs = Number.NEGATIVE_INFINITY;
  let running: Promise<void> | undefined;
  let lastFault: unknown;

  async function fetchKeys(): Promise<void> {
    try {
      const response = await fetch(url, {
        signal: AbortSignal.timeout(fetchTimeoutMs),
        headers: { accept: 'application/json' },
        redirect: 'error',
      });
      if (!response.ok) {
        await response.body?.cancel();
        throw new Error(`The key set answered ${response.status}`);
      }
      const fetched = parseKeys(await response.json());
      const isSame = fetched.size === keys.size && [...fetched.keys()].every((id) => keys.has(id));
      keys = fetched;
      version += isSame ? 0 : 1;
      fetchedAtMs = clockMs();
      lastFault = undefined;
    } catch (error) {
      // One line per outage, not one per attempt.
      if (lastFault === undefined) {
        options.logger?.warn({ err: error, url }, 'the key set could not be fetched');
      }
      lastFault = error;
    }
  }

  /** Requests that come during a fetch share it. */
  async function refetch(): Promise<void> {
    const intervalMs = keys.size === 0 ? FIRST_FETCH_INTERVAL_MS : REFETCH_INTERVAL_MS;
    if (running === undefined && clockMs() - lastAttemptMs >= intervalMs) {
      lastAttemptMs = clockMs();
      running = fetchKeys().finally(() => {
        running = undefined;
      });
    }
    await running;
  }

  function assertFetched(): void {
    if (keys.size === 0) {
      throw unavailable('Tokens cannot be verified at the moment', 2, lastFault);
    }
  }

  function refreshOld(): void {
    if (keys.size > 0 && clockMs() - fetchedAtMs > MAX_AGE_MS) {
      // refetch() never rejects: it logs the fault, and the cached keys stay in use.
      void refetch();
    }
  }

  return {
    get version() {
      // Asked for at every request, also by those that need no key because their token is cached.
      refreshOld();
      return version;
    },
    find(keyId) {
      refreshOld();
      return keys.get(keyId);
    },
    async load(keyId) {
      const known = keys.get(keyId);
      if (known !== undefined) {
        return known;
      }
      await refetch();
      assertFetched();
      return keys.get(keyId);
    },
    async check() {
      if (keys.size === 0) await refetch();
      assertFetched();
    },
  };
}
