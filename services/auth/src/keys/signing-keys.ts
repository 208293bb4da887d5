import { createHash, createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { type JsonWebKeySet, PublicJwk } from '@atrium/contracts/tokens';
import type { Database, Sql } from '@atrium/service-kit/database';
import Value from 'typebox/value';
import type { KeyRing } from '@atrium/service-kit/key-ring';

/** An arbitrary number, the same in every replica. */
const ADVISORY_LOCK = 4_671_802;

export interface SigningKey {
  kid: string;
  privateKey: KeyObject;
}

export interface SigningKeys {
  /** Signs; the newest. */
  current: SigningKey;
  /** Every public key whose tokens may still be alive. */
  keySet: JsonWebKeySet;
}

interface KeyRow {
  kid: string;
  publicJwk: unknown;
  privateKey: string;
}

/**
 * Loads the signing keys, and makes the first one if there is none. Replicas that start at once
 * agree on it: the lock lets one make it and the others find it.
 */
export function loadSigningKeys(options: {
  database: Database;
  keyRing: KeyRing;
}): Promise<SigningKeys> {
  const { database, keyRing } = options;
  return database.transaction(async (tx) => {
    await tx.query('SELECT pg_advisory_xact_lock($1)', [ADVISORY_LOCK]);
    const rows = await tx.query<KeyRow>(
      `SELECT kid, public_jwk AS "publicJwk", private_key AS "privateKey"
       FROM signing_keys ORDER BY created_at DESC, kid`,
    );
    const [newest] = rows;
    const current = newest ?? (await makeKey(tx, keyRing));
    return {
      current: {
        kid: current.kid,
        privateKey: createPrivateKey(keyRing.decrypt(current.privateKey, current.kid)),
      },
      keySet: {
        keys: (newest === undefined ? [current] : rows).map((row) =>
          Value.Parse(PublicJwk, row.publicJwk),
        ),
      },
    };
  });
}

async function makeKey(tx: Sql, keyRing: KeyRing): Promise<KeyRow> {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const { x = '' } = publicKey.export({ format: 'jwk' });
  // RFC 7638, with the members that RFC 8037 section 2 requires, in lexicographic order.
  const members = JSON.stringify({ crv: 'Ed25519', kty: 'OKP', x });
  const kid = createHash('sha256').update(members).digest('base64url');
  const publicJwk = { kty: 'OKP', crv: 'Ed25519', x, kid, alg: 'EdDSA', use: 'sig' };
  const pem = privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();
  const row = { kid, publicJwk, privateKey: keyRing.encrypt(pem, kid) };
  await tx.query(
    'INSERT INTO signing_keys (kid, public_jwk, private_key) VALUES ($1, $2::jsonb, $3)',
    [kid, JSON.stringify(publicJwk), row.privateKey],
  );
  return row;
}
