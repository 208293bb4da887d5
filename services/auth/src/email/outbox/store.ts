import { randomUUID } from 'node:crypto';
import type { KeyRing } from '@atrium/service-kit/key-ring';
import Value from 'typebox/value';
import type { Database, Tx } from '../../database.ts';
import { EmailContent } from '../templates/content.ts';
import type { EmailKind, EmailTemplates } from '../templates/templates.ts';

const LEASE_SECONDS = 60;
/** A message that no process has leased by then is queued again: Redis may have lost its job. */
const QUEUED_SECONDS = 15;
const MAX_ATTEMPTS = 12;
const FIRST_RETRY_MS = 5000;
const MAX_RETRY_MS = 3_600_000;
const ERROR_MAX_CHARACTERS = 500;
/** Of more unsent messages than this, not all are looked at for their age. */
const UNSENT_MAX = 100_000;

/** How the service writes to people. */
export interface Emails {
  readonly templates: EmailTemplates;
  /** Writes a message to the outbox, in the transaction that gives the reason for it. */
  enqueue(tx: Tx, kind: EmailKind, content: EmailContent): Promise<void>;
  /** Costs as much as `enqueue` and leaves nothing, so that two answers take equally long. */
  enqueueDecoy(tx: Tx, content: EmailContent): Promise<void>;
}

export interface LeasedEmail {
  id: string;
  kind: string;
  attempts: number;
  /** Encrypted. */
  content: string;
}

export type FailureOutcome = { kind: 'retry'; delayMs: number } | { kind: 'given-up' | 'refused' };

/** The rows are the truth about email messages; a queued job only names one that is due. */
export interface EmailOutbox extends Emails {
  /** Ids of messages that are due and not queued, oldest first. */
  listDue(limit: number): Promise<string[]>;
  markQueued(ids: string[]): Promise<void>;
  /** Leases a due message for 60 s; undefined when it is leased, sent or given up. */
  lease(id: string): Promise<LeasedEmail | undefined>;
  /** @throws Error when the key that encrypted the content has left the key ring */
  decrypt(email: LeasedEmail): EmailContent;
  recordSent(id: string): Promise<void>;
  /** Without a retry its content is deleted. */
  recordFailure(email: LeasedEmail, outcome: FailureOutcome, reason: string): Promise<void>;
  /** The age of the oldest message that is neither sent nor given up; 0 when there is none. */
  oldestUnsentSeconds(): Promise<number>;
  /** Deletes sent and given-up messages older than `before`. @returns how many were deleted */
  purge(batch: { before: Date; limit: number }): Promise<number>;
}

/** 5 s doubling up to an hour; given up after 12 attempts, about two and a half hours in all. */
export function afterFailure(attempts: number): FailureOutcome {
  return attempts >= MAX_ATTEMPTS
    ? { kind: 'given-up' }
    : { kind: 'retry', delayMs: Math.min(FIRST_RETRY_MS * 2 ** (attempts - 1), MAX_RETRY_MS) };
}

export function createEmailOutbox(options: {
  database: Database;
  keyRing: KeyRing;
  templates: EmailTemplates;
  /** Called after a commit that wrote a message. */
  wakeSender: () => void;
}): EmailOutbox {
  const { database, keyRing, templates, wakeSender } = options;

  // Raw: part of the measured login.
  async function insert(tx: Tx, kind: string, content: EmailContent): Promise<string> {
    const id = randomUUID();
    await tx.query('INSERT INTO email_messages (id, kind, content) VALUES ($1, $2, $3)', [
      id,
      kind,
      keyRing.encrypt(JSON.stringify(content), id),
    ]);
    tx.afterCommit(wakeSender);
    return id;
  }

  return {
    templates,

    async enqueue(tx, kind, content) {
      await insert(tx, kind, content);
    },

    async enqueueDecoy(tx, content) {
      const id = await insert(tx, 'decoy', content);
      await tx.query('DELETE FROM email_messages WHERE id = $1', [id]);
    },

    // Raw: Prisma cannot compare with the clock of the database, which sets the default.
    async listDue(limit) {
      const rows = await database.query<{ id: string }>(
        `SELECT id FROM email_messages
         WHERE next_attempt_at <= now() AND (queued_until IS NULL OR queued_until < now())
         ORDER BY next_attempt_at LIMIT $1`,
        [limit],
      );
      return rows.map((row) => row.id);
    },

    // Raw: as `listDue`. A message that was leased meanwhile is not due any more.
    async markQueued(ids) {
      await database.query(
        `UPDATE email_messages SET queued_until = now() + make_interval(secs => $2)
         WHERE id = ANY ($1) AND next_attempt_at <= now()`,
        [ids, QUEUED_SECONDS],
      );
    },

    // Raw: as `listDue`.
    async lease(id) {
      const [row] = await database.query<Omit<LeasedEmail, 'id'>>(
        `UPDATE email_messages
         SET attempts = attempts + 1, next_attempt_at = now() + make_interval(secs => $2),
             queued_until = NULL
         WHERE id = $1 AND next_attempt_at <= now()
         RETURNING kind, attempts, content`,
        [id, LEASE_SECONDS],
      );
      return row && { ...row, id };
    },

    decrypt: ({ id, content }) =>
      Value.Parse(EmailContent, JSON.parse(keyRing.decrypt(content, id))),

    // Raw: as `listDue`.
    async recordSent(id) {
      await database.query(
        `UPDATE email_messages
         SET sent_at = now(), next_attempt_at = NULL, content = NULL, last_error = NULL
         WHERE id = $1`,
        [id],
      );
    },

    // Raw: as `listDue`. A message without a delay is not sent again.
    async recordFailure({ id, attempts }, outcome, reason) {
      await database.query(
        `UPDATE email_messages
         SET last_error = $3, next_attempt_at = now() + make_interval(secs => $4),
             content = CASE WHEN $4::float8 IS NULL THEN NULL ELSE content END
         WHERE id = $1 AND attempts = $2 AND sent_at IS NULL`,
        [
          id,
          attempts,
          reason.slice(0, ERROR_MAX_CHARACTERS),
          outcome.kind === 'retry' ? outcome.delayMs / 1000 : null,
        ],
      );
    },

    // Raw: as `listDue`.
    async oldestUnsentSeconds() {
      const [row] = await database.query<{ seconds: number }>(
        `SELECT coalesce(greatest(0, extract(epoch FROM now() - min(created_at))), 0)::float8 AS seconds
         FROM (SELECT created_at FROM email_messages WHERE next_attempt_at IS NOT NULL
               ORDER BY next_attempt_at LIMIT $1) AS unsent`,
        [UNSENT_MAX],
      );
      return row?.seconds ?? 0;
    },

    async purge({ before, limit }) {
      const { count } = await database.prisma.emailMessage.deleteMany({
        where: { nextAttemptAt: null, createdAt: { lt: before } },
        limit,
      });
      return count;
    },
  };
}
