import { createHash, generateKeyPairSync } from 'node:crypto';
import type { Database, Sql } from '@atrium/service-kit/database';
import type { KeyRing } from '@atrium/service-kit/key-ring';
import { insertKey, type KeyRow, listKeys, retireOthers, withKeysLocked } from './store.ts';

/** A new key is published for so long before it signs; services fetch the set once a minute. */
export const LEAD_MS = 900_000;
/** What clocks may differ by when the last tokens of an old key expire. */
const LEEWAY_MS = 60_000;
const DAY_MS = 86_400_000;

export interface RotationOptions {
  database: Database;
  keyRing: KeyRing;
  accessTokenTtlSeconds: number;
  nowMs: number;
}

/**
 * Makes a new signing key. It is published at once and signs after a quarter of an hour; the keys
 * before it are withdrawn when their last tokens have expired.
 *
 * @param options.atOnce for keys that somebody else may have: the new one signs at once and they are
 *   withdrawn at once, so that every access token has to be refreshed
 * @returns the new key's id
 */
export function rotateSigningKey(options: RotationOptions & { atOnce: boolean }): Promise<string> {
  return withKeysLocked(options.database, (tx) => rotate(tx, options));
}

/**
 * The keys that are not withdrawn, after what is due has been done: the first one made, one that is
 * too old followed by a new one, those withdrawn deleted. Replicas that come at once agree, for the
 * lock lets one make a key and the others find it.
 */
export async function readKeys(
  options: RotationOptions & { maxAgeDays: number },
): Promise<KeyRow[]> {
  const { database, nowMs, maxAgeDays } = options;
  const isDue = ([newest]: KeyRow[]) =>
    newest === undefined || nowMs >= newest.activatesAt.getTime() + maxAgeDays * DAY_MS - LEAD_MS;
  const found = await listKeys(database, nowMs);
  if (!isDue(found)) {
    return found;
  }
  return withKeysLocked(database, async (tx) => {
    const keys = await listKeys(tx, nowMs);
    if (!isDue(keys)) {
      return keys;
    }
    // The first key has nobody to wait for.
    await rotate(tx, { ...options, atOnce: keys.length === 0 });
    return listKeys(tx, nowMs);
  });
}

async function rotate(tx: Sql, options: RotationOptions & { atOnce: boolean }): Promise<string> {
  const { keyRing, nowMs, atOnce } = options;
  const activatesAtMs = atOnce ? nowMs : nowMs + LEAD_MS;
  const retiresAtMs = atOnce
    ? nowMs
    : activatesAtMs + options.accessTokenTtlSeconds * 1000 + LEEWAY_MS;
  const key = makeKey(keyRing, activatesAtMs);
  await insertKey(tx, key);
  await retireOthers(tx, key.kid, retiresAtMs);
  return key.kid;
}

function makeKey(keyRing: KeyRing, activatesAtMs: number): Omit<KeyRow, 'retiresAt'> {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const { x = '' } = publicKey.export({ format: 'jwk' });
  // RFC 7638, with the members that RFC 8037 section 2 requires, in lexicographic order.
  const members = JSON.stringify({ crv: 'Ed25519', kty: 'OKP', x });
  const kid = createHash('sha256').update(members).digest('base64url');
  const pem = privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();
  return {
    kid,
    publicJwk: { kty: 'OKP', crv: 'Ed25519', x, kid, alg: 'EdDSA', use: 'sig' },
    privateKey: keyRing.encrypt(pem, kid),
    activatesAt: new Date(activatesAtMs),
  };
}
