import { type Collection, pagesOf } from '@atrium/events/account-data';
import type { Database, Sql } from '@atrium/service-kit/database';

const RECORDS_AT_ONCE = 500;

const ACCOUNT = `
  SELECT id AS key, id, name, username, email, birthdate::text AS birthdate, gender, plan, bio, avatar,
    profile_links AS "profileLinks", email_verified_at AS "emailVerifiedAt",
    created_at AS "createdAt", updated_at AS "updatedAt"
  FROM accounts WHERE id = $1 AND id > $2 LIMIT $3`;

const DEVICES = `
  SELECT encode(fingerprint, 'hex') AS key, browser, os, first_seen_at AS "firstSeenAt",
    last_seen_at AS "lastSeenAt"
  FROM account_devices WHERE account_id = $1 AND fingerprint > decode($2, 'hex')
  ORDER BY fingerprint LIMIT $3`;

const SESSIONS = `
  SELECT id AS key, id, browser, os, ip_address AS "ipAddress", created_at AS "createdAt",
    last_used_at AS "lastUsedAt", revoked_at AS "revokedAt"
  FROM sessions WHERE account_id = $1 AND id > $2 ORDER BY id LIMIT $3`;

const SECURITY_EVENTS = `
  SELECT id AS key, id, kind, session_id AS "sessionId", ip_address AS "ipAddress", device, data,
    created_at AS "createdAt"
  FROM audit_events WHERE account_id = $1 AND id > $2 ORDER BY id LIMIT $3`;

const PASSKEYS = `
  SELECT id AS key, id, name, created_at AS "createdAt", last_used_at AS "lastUsedAt"
  FROM passkeys WHERE account_id = $1 AND id > $2 ORDER BY id LIMIT $3`;

/** What auth holds of an account, but for secrets and their hashes. */
export function accountCollections(db: Database, accountId: string): Collection[] {
  const pages = (statement: string) => pagesOf(db, statement, accountId, RECORDS_AT_ONCE);
  return [
    ['account', pages(ACCOUNT)],
    ['devices', pages(DEVICES)],
    ['sessions', pages(SESSIONS)],
    ['securityEvents', pages(SECURITY_EVENTS)],
    ['passkeys', pages(PASSKEYS)],
  ];
}

export async function findOwner(
  sql: Sql,
  accountId: string,
): Promise<{ email: string; name: string } | undefined> {
  const [owner] = await sql.query<{ email: string; name: string }>(
    'SELECT email, name FROM accounts WHERE id = $1',
    [accountId],
  );
  return owner;
}

/** False when the message was handled before: what follows in this transaction must not be. */
export async function markProcessed(tx: Sql, messageId: string): Promise<boolean> {
  const rows = await tx.query(
    'INSERT INTO processed_messages (id) VALUES ($1) ON CONFLICT DO NOTHING RETURNING 1',
    [messageId],
  );
  return rows.length === 1;
}

/** Deletes what was remembered before `before`, at most `limit`. @returns how many went */
export async function purgeProcessedMessages(
  sql: Sql,
  { before, limit }: { before: Date; limit: number },
): Promise<number> {
  const rows = await sql.query(
    `DELETE FROM processed_messages WHERE id IN (
       SELECT id FROM processed_messages WHERE processed_at < $1 LIMIT $2 FOR UPDATE SKIP LOCKED
     ) RETURNING 1`,
    [before, limit],
  );
  return rows.length;
}
