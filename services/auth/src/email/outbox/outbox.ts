import { randomUUID } from 'node:crypto';
import type { Sql } from '@atrium/service-kit/database';
import type { KeyRing } from '@atrium/service-kit/key-ring';
import Value from 'typebox/value';
import { EmailContent } from '../templates/content.ts';
import type { EmailKind } from '../templates/templates.ts';

const CLAIM_SECONDS = 60;
/** After so long a mail that nobody claimed is put on the queue again: Redis may have lost it. */
const QUEUED_SECONDS = 15;
const MAX_ATTEMPTS = 12;
const FIRST_RETRY_MS = 5000;
const MAX_RETRY_MS = 3_600_000;

/** Puts a mail into the outbox, in the transaction that gives it its reason. */
export type EnqueueEmail = (sql: Sql, kind: EmailKind, content: EmailContent) => Promise<void>;

export type EnqueueDecoyEmail = (sql: Sql, content: EmailContent) => Promise<void>;

export interface LeasedEmail {
  id: string;
  kind: string;
  attempts: number;
  /** The encrypted content; `open` reads it. */
  sealed: string;
}

export type FailureOutcome = { kind: 'retry'; delayMs: number } | { kind: 'given-up' };

/** The rows are the truth about mails; the queue only says that it is time to look at one. */
export interface EmailOutbox {
  post: EnqueueEmail;
  /** Writes as much as a mail does, and leaves nothing: for answers that must take equal time. */
  enqueueDecoyEmail: EnqueueDecoyEmail;
  /** Ids of mails that are due and on no queue, oldest first, to be put on one at once. */
  takeDue(limit: number): Promise<string[]>;
  /** Says that these could not be put on the queue after all. */
  untake(ids: string[]): Promise<void>;
  /** Takes a due mail for 60 s; undefined when another process has it or it is done. */
  claim(id: string): Promise<LeasedEmail | undefined>;
  /** @throws Error when the key that encrypted it has left the ring */
  open(mail: LeasedEmail): EmailContent;
  recordSent(id: string): Promise<void>;
  recordFailure(mail: LeasedEmail, reason: string): Promise<FailureOutcome>;
  /** Deletes what is sent or given up and older than `before`; answers how many went. */
  purge: (batch: { before: Date; limit: number }) => Promise<number>;
}

/** 5 s doubling up to an hour; given up after 12 attempts, in all about 5 hours. */
export function afterFailure(attempts: number): FailureOutcome {
  return attempts >= MAX_ATTEMPTS
    ? { kind: 'given-up' }
    : { kind: 'retry', delayMs: Math.min(FIRST_RETRY_MS * 2 ** (attempts - 1), MAX_RETRY_MS) };
}

export function createEmailOutbox({ sql, keyRing }: { sql: Sql; keyRing: KeyRing }): EmailOutbox {
  async function insert(tx: Sql, kind: string, content: EmailContent): Promise<string> {
    const id = randomUUID();
    await tx.query('INSERT INTO email_messages (id, kind, content) VALUES ($1, $2, $3)', [
      id,
      kind,
      keyRing.encrypt(JSON.stringify(content), id),
    ]);
    return id;
  }

  return {
    async post(tx, kind, content) {
      await insert(tx, kind, content);
    },

    async enqueueDecoyEmail(tx, content) {
      const id = await insert(tx, 'decoy', content);
      await tx.query('DELETE FROM email_messages WHERE id = $1', [id]);
    },

    async takeDue(limit) {
      const rows = await sql.query<{ id: string }>(
        `UPDATE email_messages SET queued_until = now() + make_interval(secs => $2)
         WHERE id IN (
           SELECT id FROM email_messages
           WHERE next_attempt_at <= now() AND (queued_until IS NULL OR queued_until < now())
           ORDER BY next_attempt_at LIMIT $1 FOR UPDATE SKIP LOCKED
         ) RETURNING id`,
        [limit, QUEUED_SECONDS],
      );
      return rows.map((row) => row.id);
    },

    async untake(ids) {
      await sql.query('UPDATE email_messages SET queued_until = NULL WHERE id = ANY ($1)', [ids]);
    },

    async claim(id) {
      const [row] = await sql.query<{ kind: string; attempts: number; sealed: string }>(
        `UPDATE email_messages
         SET attempts = attempts + 1, next_attempt_at = now() + make_interval(secs => $2),
             queued_until = NULL
         WHERE id = $1 AND next_attempt_at <= now()
         RETURNING kind, attempts, content AS sealed`,
        [id, CLAIM_SECONDS],
      );
      return row && { ...row, id };
    },

    open: ({ id, sealed }) => Value.Parse(EmailContent, JSON.parse(keyRing.decrypt(sealed, id))),

    async recordSent(id) {
      await sql.query(
        `UPDATE email_messages SET sent_at = now(), next_attempt_at = NULL, content = NULL, last_error = NULL
         WHERE id = $1`,
        [id],
      );
    },

    async recordFailure(mail, reason) {
      const outcome = afterFailure(mail.attempts);
      const isOver = outcome.kind === 'given-up';
      await sql.query(
        `UPDATE email_messages
         SET last_error = $2,
             next_attempt_at = CASE WHEN $3 THEN NULL ELSE now() + make_interval(secs => $4) END,
             content = CASE WHEN $3 THEN NULL ELSE content END
         WHERE id = $1 AND attempts = $5 AND sent_at IS NULL`,
        [mail.id, reason.slice(0, 500), isOver, isOver ? 0 : outcome.delayMs / 1000, mail.attempts],
      );
      return outcome;
    },

    async purge({ before, limit }) {
      const rows = await sql.query(
        `DELETE FROM email_messages WHERE id IN (
           SELECT id FROM email_messages WHERE next_attempt_at IS NULL AND created_at < $1
           ORDER BY created_at LIMIT $2 FOR UPDATE SKIP LOCKED
         ) RETURNING 1`,
        [before, limit],
      );
      return rows.length;
    },
  };
}
