import type { Sql } from '@atrium/service-kit/database';

/** A credential as it was registered, and how far its counter has come. */
export interface StoredCredential {
  passkeyId: string;
  accountId: string;
  credentialId: string;
  publicKey: Uint8Array<ArrayBuffer>;
  counter: number;
}

export interface PasskeyRow {
  id: string;
  name: string;
  createdAt: Date;
  lastUsedAt: Date | null;
}

export interface CredentialDescriptor {
  id: string;
  transports: string[];
}

const COLUMNS = 'id, name, created_at AS "createdAt", last_used_at AS "lastUsedAt"';

/** Adds a passkey; undefined when this credential is registered already, here or elsewhere. */
export async function insertPasskey(
  tx: Sql,
  passkey: {
    id: string;
    accountId: string;
    credentialId: string;
    publicKey: Uint8Array;
    counter: number;
    transports: string[];
    name: string;
    nowMs: number;
  },
): Promise<PasskeyRow | undefined> {
  const [row] = await tx.query<PasskeyRow>(
    `INSERT INTO passkeys
       (id, account_id, credential_id, public_key, counter, transports, name, created_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
     ON CONFLICT DO NOTHING RETURNING ${COLUMNS}`,
    [
      passkey.id,
      passkey.accountId,
      passkey.credentialId,
      Buffer.from(passkey.publicKey),
      passkey.counter,
      passkey.transports,
      passkey.name,
      new Date(passkey.nowMs),
    ],
  );
  return row;
}

/** The credentials of an account, for the browser to offer or to leave out. */
export function listCredentials(sql: Sql, accountId: string): Promise<CredentialDescriptor[]> {
  return sql.query<CredentialDescriptor>(
    'SELECT credential_id AS id, transports FROM passkeys WHERE account_id = $1 ORDER BY id',
    [accountId],
  );
}

/** An account's passkeys, oldest first, from after the passkey `afterId`. */
export function listPasskeys(
  sql: Sql,
  page: { accountId: string; afterId: string | null; limit: number },
): Promise<PasskeyRow[]> {
  return sql.query<PasskeyRow>(
    `SELECT ${COLUMNS} FROM passkeys
     WHERE account_id = $1 AND ($2::text IS NULL OR id > $2) ORDER BY id LIMIT $3`,
    [page.accountId, page.afterId, page.limit],
  );
}

export async function renamePasskey(
  sql: Sql,
  passkey: { id: string; accountId: string; name: string },
): Promise<PasskeyRow | undefined> {
  const [row] = await sql.query<PasskeyRow>(
    `UPDATE passkeys SET name = $3 WHERE id = $1 AND account_id = $2 RETURNING ${COLUMNS}`,
    [passkey.id, passkey.accountId, passkey.name],
  );
  return row;
}

export async function deletePasskey(
  tx: Sql,
  passkey: { id: string; accountId: string },
): Promise<boolean> {
  const rows = await tx.query(
    'DELETE FROM passkeys WHERE id = $1 AND account_id = $2 RETURNING 1',
    [passkey.id, passkey.accountId],
  );
  return rows.length === 1;
}

export async function findCredential(
  sql: Sql,
  credentialId: string,
): Promise<StoredCredential | undefined> {
  // The driver gives a bigint as text, for it may not fit; 32 bits do.
  const [row] = await sql.query<StoredCredential>(
    `SELECT id AS "passkeyId", account_id AS "accountId", credential_id AS "credentialId",
            public_key AS "publicKey", counter::float8 AS counter
     FROM passkeys WHERE credential_id = $1`,
    [credentialId],
  );
  return row;
}

/**
 * Records that a passkey was used. False when it is gone, or when another use has counted as far
 * meanwhile. An authenticator that does not count always says 0 (WebAuthn Level 3 section 6.1.1).
 */
export async function advanceCounter(
  tx: Sql,
  use: { passkeyId: string; counter: number; nowMs: number },
): Promise<boolean> {
  const rows = await tx.query(
    `UPDATE passkeys SET counter = $2, last_used_at = $3
     WHERE id = $1 AND (counter < $2 OR (counter = 0 AND $2 = 0)) RETURNING 1`,
    [use.passkeyId, use.counter, new Date(use.nowMs)],
  );
  return rows.length === 1;
}
