import { randomUUID } from 'node:crypto';
import type { Sql } from '@atrium/service-kit/database';
import type { KeyRing } from '@atrium/service-kit/key-ring';
import type { MailContent, MailKind } from './templates.ts';

const CLAIM_SECONDS = 60;
const MAX_ATTEMPTS = 12;
const FIRST_RETRY_MS = 5000;
const MAX_RETRY_MS = 3_600_000;

/** Puts a mail into the outbox, in the transaction that gives it its reason. */
export type PostMail = (sql: Sql, kind: MailKind, content: MailContent) => Promise<void>;

export type PostDecoy = (sql: Sql, content: MailContent) => Promise<void>;

export interface ClaimedMail {
  id: string;
  kind: string;
  attempts: number;
  content: MailContent;
}

export type FailureOutcome = { kind: 'retry'; delayMs: number } | { kind: 'given-up' };

/** The rows are the truth about mails; the queue only says that it is time to look at one. */
export interface MailOutbox {
  post: PostMail;
  /** Writes as much as a mail does, and leaves nothing: for answers that must take equal time. */
  postDecoy: PostDecoy;
  /** Ids of mails that are due, oldest first. */
  listDue(limit: number): Promise<string[]>;
  /** Takes a due mail for 60 s; undefined when another process has it or it is done. */
  claim(id: string): Promise<ClaimedMail | undefined>;
  recordSent(id: string): Promise<void>;
  recordFailure(mail: ClaimedMail, reason: string): Promise<FailureOutcome>;
}

/** 5 s doubling up to an hour; given up after 12 attempts, in all about 5 hours. */
export function afterFailure(attempts: number): FailureOutcome {
  return attempts >= MAX_ATTEMPTS
    ? { kind: 'given-up' }
    : { kind: 'retry', delayMs: Math.min(FIRST_RETRY_MS * 2 ** (attempts - 1), MAX_RETRY_MS) };
}

export function createMailOutbox({ sql, keyRing }: { sql: Sql; keyRing: KeyRing }): MailOutbox {
  async function insert(tx: Sql, kind: string, content: MailContent): Promise<string> {
    const id = randomUUID();
    await tx.query('INSERT INTO outgoing_mails (id, kind, content) VALUES ($1, $2, $3)', [
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

    async postDecoy(tx, content) {
      const id = await insert(tx, 'decoy', content);
      await tx.query('DELETE FROM outgoing_mails WHERE id = $1', [id]);
    },

    async listDue(limit) {
      const rows = await sql.query<{ id: string }>(
        'SELECT id FROM outgoing_mails WHERE due_at <= now() ORDER BY due_at LIMIT $1',
        [limit],
      );
      return rows.map((row) => row.id);
    },

    async claim(id) {
      const [row] = await sql.query<{ kind: string; attempts: number; content: string }>(
        `UPDATE outgoing_mails
         SET attempts = attempts + 1, due_at = now() + make_interval(secs => $2)
         WHERE id = $1 AND due_at <= now()
         RETURNING kind, attempts, content`,
        [id, CLAIM_SECONDS],
      );
      return row && { ...row, id, content: JSON.parse(keyRing.decrypt(row.content, id)) };
    },

    async recordSent(id) {
      await sql.query(
        `UPDATE outgoing_mails SET sent_at = now(), due_at = NULL, content = NULL, last_error = NULL
         WHERE id = $1`,
        [id],
      );
    },

    async recordFailure(mail, reason) {
      const outcome = afterFailure(mail.attempts);
      const isOver = outcome.kind === 'given-up';
      await sql.query(
        `UPDATE outgoing_mails
         SET last_error = $2,
             due_at = CASE WHEN $3 THEN NULL ELSE now() + make_interval(secs => $4) END,
             content = CASE WHEN $3 THEN NULL ELSE content END
         WHERE id = $1 AND attempts = $5 AND sent_at IS NULL`,
        [mail.id, reason.slice(0, 500), isOver, isOver ? 0 : outcome.delayMs / 1000, mail.attempts],
      );
      return outcome;
    },
  };
}
