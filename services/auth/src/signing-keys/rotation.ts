import { createHash, generateKeyPair, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import type { KeyRing } from '@atrium/service-kit/key-ring';
import type { Database, Tx } from '../database.ts';
import {
  deleteOthers,
  deleteRetiredKeys,
  insertKey,
  type KeyRow,
  listKeys,
  type NewKey,
  retireOthers,
  withKeysLocked,
} from './store.ts';

/** How long a new key is published before it signs; services fetch the key set once a minute. */
const LEAD_MS = 900_000;
/** How far clocks may differ when the last tokens of an old key expire. */
const LEEWAY_MS = 60_000;
const DAY_MS = 86_400_000;

export interface RotationOptions {
  database: Database;
  keyRing: KeyRing;
  accessTokenTtlSeconds: number;
  nowMs: number;
}

/**
 * Creates a new signing key. It is published at once and signs after a quarter of an hour; older keys
 * are withdrawn when their last tokens have expired.
 *
 * @param options.atOnce for compromised keys: the new one signs and the others are withdrawn at once,
 *   so that every access token has to be refreshed
 * @returns the new key's id
 */
export function rotateSigningKey(options: RotationOptions & { atOnce: boolean }): Promise<string> {
  return withKeysLocked(options.database, (tx) => rotate(tx, options));
}

/**
 * Creates a new key when the newest is too old, or when there is none, and deletes withdrawn keys.
 * Processes that call this at the same time create one key between them.
 */
export async function rotateDueSigningKey(
  options: RotationOptions & { maxAgeDays: number },
): Promise<void> {
  const { database, nowMs, maxAgeDays } = options;
  const isDue = ([newest]: KeyRow[]) =>
    newest === undefined || nowMs >= newest.activatesAt.getTime() + maxAgeDays * DAY_MS - LEAD_MS;
  if (isDue(await listKeys(database, nowMs))) {
    await withKeysLocked(database, async (tx) => {
      const keys = await listKeys(tx, nowMs);
      if (isDue(keys)) {
        // No service knows an older key yet when this is the first one.
        await rotate(tx, { ...options, atOnce: keys.length === 0 });
      }
    });
  }
  await deleteRetiredKeys(database, nowMs);
}

async function rotate(tx: Tx, options: RotationOptions & { atOnce: boolean }): Promise<string> {
  const { keyRing, nowMs, atOnce } = options;
  const activatesAtMs = atOnce ? nowMs : nowMs + LEAD_MS;
  const key = await createKey(keyRing, activatesAtMs);
  await insertKey(tx, key);
  const lastTokenMs = activatesAtMs + options.accessTokenTtlSeconds * 1000;
  await (atOnce
    ? deleteOthers(tx, key.kid, nowMs)
    : retireOthers(tx, key.kid, lastTokenMs + LEEWAY_MS));
  return key.kid;
}

const newKeyPair = promisify(generateKeyPair);
const RSA_BITS = 2048;

async function createKey(keyRing: KeyRing, activatesAtMs: number): Promise<NewKey> {
  const { publicKey, privateKey } = await newKeyPair('ed25519');
  const { x = '' } = publicKey.export({ format: 'jwk' });
  // With the members that RFC 8037 section 2 requires.
  const kid = thumbprint({ crv: 'Ed25519', kty: 'OKP', x });
  const rsa = await newKeyPair('rsa', { modulusLength: RSA_BITS });
  const { n = '', e = '' } = rsa.publicKey.export({ format: 'jwk' });
  const rsaKid = thumbprint({ e, kty: 'RSA', n });
  return {
    kid,
    publicJwk: { kty: 'OKP', crv: 'Ed25519', x, kid, alg: 'EdDSA', use: 'sig' },
    privateKey: keyRing.encrypt(pemOf(privateKey), kid),
    rsaPublicJwk: { kty: 'RSA', n, e, kid: rsaKid, alg: 'RS256', use: 'sig' },
    rsaPrivateKey: keyRing.encrypt(pemOf(rsa.privateKey), rsaKid),
    activatesAt: new Date(activatesAtMs),
  };
}

/** RFC 7638: of the required members in lexicographic order. */
function thumbprint(members: Record<string, string>): string {
  return createHash('sha256').update(JSON.stringify(members)).digest('base64url');
}

const pemOf = (key: KeyObject) => key.export({ format: 'pem', type: 'pkcs8' }).toString();
