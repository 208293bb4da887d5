import { createHash, createPublicKey } from 'node:crypto';
import { type JsonWebKeySet, PublicJwk, RsaPublicJwk } from '@atrium/contracts/auth/tokens';
import type { KeySet } from '@atrium/service-kit/authentication';
import type { KeyRing } from '@atrium/service-kit/key-ring';
import type { Logger } from '@atrium/service-kit/logger';
import Value from 'typebox/value';
import type { Database } from '../database.ts';
import { rotateDueSigningKey } from './rotation.ts';
import { type KeyRow, listKeys } from './store.ts';

const RELOAD_INTERVAL_MS = 10_000;
/** Requests may name unknown keys; together they reload at most this often. */
const UNKNOWN_KEY_INTERVAL_MS = 1000;

export interface SigningKey {
  kid: string;
  /** PKCS #8 in PEM. */
  privateKey: string;
  /** Its RSA key, for ID tokens. */
  rsa: { kid: string; privateKey: string };
}

interface LoadedKey {
  kid: string;
  /** Missing where it only verifies: the key ring need not have what encrypted it. */
  signing: SigningKey | undefined;
  publicJwk: PublicJwk;
  rsaPublicJwk: RsaPublicJwk;
  /** SPKI in PEM. */
  publicKey: string;
  activatesAtMs: number;
  retiresAtMs: number;
}

export interface SigningKeys extends AsyncDisposable {
  /** The key that signs now. */
  current(): SigningKey;
  /** All keys that are not withdrawn, including those that do not sign yet. */
  published(): { keySet: JsonWebKeySet; etag: string };
  /** For verifying tokens in this process, without a request to itself. */
  readonly keySet: KeySet;
}

/**
 * The signing keys of the database, reloaded every 10 s. The first process creates the first key. The
 * clock decides which key signs and which are withdrawn, so all processes change at the same time.
 *
 * @throws Error when the key ring cannot decrypt a key that signs now or later, and what the database throws
 */
export async function openSigningKeys(options: {
  database: Database;
  keyRing: KeyRing;
  accessTokenTtlSeconds: number;
  maxAgeDays: number;
  clockMs: () => number;
  logger: Logger;
}): Promise<SigningKeys> {
  const { database, keyRing, clockMs, logger } = options;
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

  function withdrawRetired(): void {
    if (clockMs() >= nextChangeMs) {
      accept(keys);
    }
  }

  async function load(): Promise<void> {
    reloadedAtMs = clockMs();
    const rows = await listKeys(database, clockMs());
    const known = new Map(keys.map((key) => [key.kid, key]));
    const nowMs = clockMs();
    const current = rows.findIndex((row) => row.activatesAt.getTime() <= nowMs);
    accept(
      rows.map((row, index) => {
        const signs = current === -1 || index <= current;
        return loadKey(signs ? keyRing : undefined, row, known.get(row.kid));
      }),
    );
  }

  let running: Promise<void> | undefined;
  /** Never rejects: the known keys stay in use. */
  function reload(): Promise<void> {
    running ??= load()
      .catch((error: unknown) => {
        logger.warn({ err: error }, 'signing keys could not be reloaded, will try again');
      })
      .finally(() => {
        running = undefined;
      });
    return running;
  }

  await rotateDueSigningKey({ ...options, nowMs: clockMs() });
  await load();
  const timer = setInterval(() => void reload(), RELOAD_INTERVAL_MS);

  const find = (kid: string) => {
    withdrawRetired();
    return keys.find((key) => key.kid === kid)?.publicKey;
  };

  return {
    current() {
      withdrawRetired();
      const nowMs = clockMs();
      // The store lists the newest activation first.
      const active = keys.find((key) => key.activatesAtMs <= nowMs) ?? keys.at(-1);
      if (active?.signing === undefined) {
        throw new Error('There is no signing key');
      }
      return active.signing;
    },
    published() {
      withdrawRetired();
      return published;
    },
    keySet: {
      get version() {
        withdrawRetired();
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

/** Without a key ring, the key only verifies. */
function loadKey(
  keyRing: KeyRing | undefined,
  row: KeyRow,
  known: LoadedKey | undefined,
): LoadedKey {
  const times = {
    activatesAtMs: row.activatesAt.getTime(),
    retiresAtMs: row.retiresAt?.getTime() ?? Number.POSITIVE_INFINITY,
  };
  if (known !== undefined) {
    return { ...known, ...times };
  }
  const publicJwk = Value.Parse(PublicJwk, row.publicJwk);
  const rsaPublicJwk = Value.Parse(RsaPublicJwk, row.rsaPublicJwk);
  const { kty, crv, x } = publicJwk;
  return {
    kid: row.kid,
    signing: keyRing && {
      kid: row.kid,
      privateKey: keyRing.decrypt(row.privateKey, row.kid),
      rsa: {
        kid: rsaPublicJwk.kid,
        privateKey: keyRing.decrypt(row.rsaPrivateKey, rsaPublicJwk.kid),
      },
    },
    publicJwk,
    rsaPublicJwk,
    publicKey: createPublicKey({ format: 'jwk', key: { kty, crv, x } })
      .export({ type: 'spki', format: 'pem' })
      .toString(),
    ...times,
  };
}

function publicationOf(keys: LoadedKey[]): { keySet: JsonWebKeySet; etag: string } {
  const keySet = { keys: keys.flatMap((key) => [key.publicJwk, key.rsaPublicJwk]) };
  const hash = createHash('sha256').update(JSON.stringify(keySet)).digest('base64url');
  return { keySet, etag: `"${hash}"` };
}
