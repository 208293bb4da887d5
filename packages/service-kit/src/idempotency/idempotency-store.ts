import { isDeepStrictEqual } from 'node:util';
import type { Sql } from '../database/database.ts';
import type { KeyRing } from '../key-ring.ts';

/** A request with an `Idempotency-Key`. */
export interface KeyedRequest {
  accountId: string;
  key: string;
  /** A hash of the method, URL and body. */
  fingerprint: string;
  body: unknown;
  repeat?: Repeat | undefined;
}

/** Rebuilds the answer from the row with the id, for routes whose answer is too large to store. */
export type Repeat = (sql: Sql, id: string, accountId: string) => Promise<Answer>;

/** A response that is repeated. */
export interface Answer<Body = unknown> {
  status: number;
  headers?: Record<string, string>;
  body: Body;
}

/** A response without the fields that are equal in its request, as the fingerprint covers those. */
interface StoredAnswer extends Answer {
  omitted: string[];
}

export type Found = { kind: 'answer'; answer: Answer } | { kind: 'otherRequest' };

const KEPT = "interval '24 hours'";
const PURGE_BATCH = 1_000;

// The transaction holds the lock, so that it ends with a process that is killed. It is visible to the
// next holder what the transaction has committed.
const LOCK = `
  SELECT pg_try_advisory_xact_lock(hashtextextended($1::text || ' ' || $2::text, 1)) AS "isLocked"`;

const FIND = `
  SELECT fingerprint, response FROM idempotency_keys
  WHERE account_id = $1 AND key = $2 AND created_at > now() - ${KEPT}`;

// The conflict is with a row that has expired.
const SAVE = `
  INSERT INTO idempotency_keys (account_id, key, fingerprint, response) VALUES ($1, $2, $3, $4)
  ON CONFLICT (account_id, key) DO UPDATE SET fingerprint = excluded.fingerprint,
    response = excluded.response, created_at = excluded.created_at`;

const PURGE = `
  DELETE FROM idempotency_keys WHERE (account_id, key) IN (
    SELECT account_id, key FROM idempotency_keys WHERE created_at <= now() - ${KEPT}
    ORDER BY created_at LIMIT ${PURGE_BATCH} FOR UPDATE SKIP LOCKED
  ) RETURNING key`;

function omitRepeated(answer: Answer, request: KeyedRequest): StoredAnswer {
  const [sent, body] = [Object(request.body), Object(answer.body)];
  const omitted = Object.keys(sent).filter((field) => isDeepStrictEqual(sent[field], body[field]));
  if (omitted.length === 0) return { ...answer, omitted };
  const kept = Object.entries(body).filter(([field]) => !omitted.includes(field));
  return { ...answer, body: Object.fromEntries(kept), omitted };
}

function restoreRepeated({ omitted, ...answer }: StoredAnswer, request: KeyedRequest): Answer {
  if (omitted.length === 0) return answer;
  const sent = Object(request.body);
  const repeated = omitted.map((field) => [field, sent[field]]);
  return { ...answer, body: { ...Object(answer.body), ...Object.fromEntries(repeated) } };
}

/** The table `idempotency_keys` that each service with such requests has. */
export interface IdempotencyStore {
  /** Whether no other transaction handles this key. Locks it until the transaction ends. */
  lock(sql: Sql, request: KeyedRequest): Promise<boolean>;
  find(sql: Sql, request: KeyedRequest): Promise<Found | undefined>;
  save(sql: Sql, request: KeyedRequest, answer: Answer): Promise<void>;
}

/** @param keyRing encrypts the responses, which a service needs whose responses hold secrets */
export function createIdempotencyStore(keyRing: KeyRing | undefined): IdempotencyStore {
  const contextOf = ({ accountId, key }: KeyedRequest) => `${accountId}/idempotency/${key}`;
  return {
    async lock(sql, { accountId, key }) {
      const [row] = await sql.query<{ isLocked: boolean }>(LOCK, [accountId, key]);
      return row?.isLocked === true;
    },
    async find(sql, request) {
      const [row] = await sql.query<{ fingerprint: string; response: string }>(FIND, [
        request.accountId,
        request.key,
      ]);
      if (row === undefined) return undefined;
      if (row.fingerprint !== request.fingerprint) return { kind: 'otherRequest' };
      const text = keyRing?.decrypt(row.response, contextOf(request)) ?? row.response;
      const stored = JSON.parse(text);
      const { repeat, accountId } = request;
      if (repeat === undefined) return { kind: 'answer', answer: restoreRepeated(stored, request) };
      return { kind: 'answer', answer: await repeat(sql, stored.body.id, accountId) };
    },
    async save(sql, request, answer) {
      const { id } = Object(answer.body);
      const kept = request.repeat ? { ...answer, body: { id } } : answer;
      const text = JSON.stringify(omitRepeated(kept, request));
      const response = keyRing?.encrypt(text, contextOf(request)) ?? text;
      const { accountId, key, fingerprint } = request;
      await sql.query(SAVE, [accountId, key, fingerprint, response]);
    },
  };
}

/** Removes the keys that have expired, in batches. */
export async function purgeIdempotencyKeys(sql: Sql, signal: AbortSignal): Promise<void> {
  let purged: object[];
  do {
    signal.throwIfAborted();
    purged = await sql.query(PURGE);
  } while (purged.length === PURGE_BATCH);
}
