import { createHash, createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import { type JsonWebKeySet, PublicJwk } from '@atrium/contracts/tokens';
import type { KeySet } from '@atrium/service-kit/authentication';
import type { Database } from '@atrium/service-kit/database';
import type { KeyRing } from '@atrium/service-kit/key-ring';
import type { Logger } from '@atrium/service-kit/logger';
import Value from 'typebox/value';
import { readKeys } from './rotation.ts';
import type { KeyRow } from './store.ts';

const RELOAD_INTERVAL_MS = 10_000;
/** Every request may name an unknown key: they ask the database together, and not more often. */
const UNKNOWN_KEY_INTERVAL_MS = 1000;

export interface SigningKey {
  kid: string;
  privateKey: KeyObject;
}

interface LoadedKey extends SigningKey {
  publicJwk: PublicJwk;
  publicKey: KeyObject;
  activatesAtMs: number;
  retiresAtMs: number;
}

export interface SigningKeys extends AsyncDisposable {
  /** The key that signs now. */
  current(): SigningKey;
  /** Every key that is not withdrawn, also those that do not sign yet. */
  published(): { keySet: JsonWebKeySet; etag: string };
  /** For checking the service's own tokens without asking itself over HTTP. */
  readonly keySet: KeySet;
}

/**
 * The signing keys of the database, read again every 10 s. Which of them signs, and which are
 * withdrawn, follows from the clock, so that all processes change at one time.
 *
 * @throws Error when the key ring cannot decrypt a key, and what the database throws
 */
export async function openSigningKeys(options: {
  database: Database;
  keyRing: KeyRing;
  accessTokenTtlSeconds: number;
  maxAgeDays: number;
  clockMs: () => number;
  logger: Logger;
}): Promise<SigningKeys> {
  const { keyRing, clockMs, logger } = options;
  let keys: LoadedKey[] = [];
  let published = { keySet: { keys: [] } as JsonWebKeySet, etag: '' };
  let version = 0;
  let nextChangeMs = Number.NEGATIVE_INFINITY;
  let reloadedAtMs = Number.NEGATIVE_INFINITY;

  function accept(loaded: LoadedKey[]): void {
    const nowMs = clockMs();
    const before = published.etag;
    keys = loaded.filter((key) => key.retiresAtMs > nowMs);
    nextChangeMs = Math.min(...keys.map((key) => key.retiresAtMs));
    published = publicationOf(keys);
    version += published.etag === before ? 0 : 1;
  }

  /** Withdraws what has to be withdrawn by now. */
  function upToDate(): void {
    if (clockMs() >= nextChangeMs) {
      accept(keys);
    }
  }

  async function load(): Promise<void> {
    reloadedAtMs = clockMs();
    const rows = await readKeys({ ...options, nowMs: clockMs() });
    const known = new Map(keys.map((key) => [key.kid, key]));
    accept(rows.map((row) => loadKey(keyRing, row, known.get(row.kid))));
  }

  let running: Promise<void> | undefined;
  /** Never rejects: the keys that are known go on. */
  function reload(): Promise<void> {
    running ??= load()
      .catch((error: unknown) => {
        logger.warn({ err: error }, 'signing keys could not be read, will try again');
      })
      .finally(() => {
        running = undefined;
      });
    return running;
  }

  await load();
  const timer = setInterval(() => void reload(), RELOAD_INTERVAL_MS);

  const find = (kid: string) => {
    upToDate();
    return keys.find((key) => key.kid === kid)?.publicKey;
  };

  return {
    current() {
      upToDate();
      const nowMs = clockMs();
      // By activation, the newest first.
      const active = keys.find((key) => key.activatesAtMs <= nowMs) ?? keys.at(-1);
      if (active === undefined) {
        throw new Error('There is no signing key');
      }
      return active;
    },
    published() {
      upToDate();
      return published;
    },
    keySet: {
      get version() {
        upToDate();
        return version;
      },
      find,
      async load(kid) {
        if (find(kid) === undefined && clockMs() - reloadedAtMs >= UNKNOWN_KEY_INTERVAL_MS) {
          await reload();
        }
        return find(kid);
      },
    },
    async [Symbol.asyncDispose]() {
      clearInterval(timer);
      await running;
    },
  };
}

function loadKey(keyRing: KeyRing, row: KeyRow, known: LoadedKey | undefined): LoadedKey {
  const times = {
    activatesAtMs: row.activatesAt.getTime(),
    retiresAtMs: row.retiresAt?.getTime() ?? Number.POSITIVE_INFINITY,
  };
  if (known !== undefined) {
    return { ...known, ...times };
  }
  const publicJwk = Value.Parse(PublicJwk, row.publicJwk);
  const { kty, crv, x } = publicJwk;
  return {
    kid: row.kid,
    privateKey: createPrivateKey(keyRing.decrypt(row.privateKey, row.kid)),
    publicJwk,
    publicKey: createPublicKey({ format: 'jwk', key: { kty, crv, x } }),
    ...times,
  };
}

function publicationOf(keys: LoadedKey[]): { keySet: JsonWebKeySet; etag: string } {
  const keySet = { keys: keys.map((key) => key.publicJwk) };
  const hash = createHash('sha256').update(JSON.stringify(keySet)).digest('base64url');
  return { keySet, etag: `"${hash}"` };
}
