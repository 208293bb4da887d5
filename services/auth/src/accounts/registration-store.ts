import type { RegisterBody } from '@atrium/contracts/auth';
import { newId } from '@atrium/contracts/ids';
import type { Database, Sql } from '@atrium/service-kit/database';
import { unavailable } from '@atrium/service-kit/http-error';
import { greetedName } from './greeting-name.ts';
import { claimUsername, reserveUsername } from './username-store.ts';

const RETRY_AFTER_SECONDS = 1;

export type NewAccount = Omit<RegisterBody, 'password'> & { passwordHash: string };

export type Registration =
  | { kind: 'registered'; accountId: string }
  | { kind: 'username-taken' }
  | { kind: 'email-taken'; owner: EmailOwner };

export interface EmailOwner {
  accountId: string;
  name: string;
  email: string;
}

/**
 * Inserts an account and runs `onOutcome` in the same transaction, which writes the mail that
 * belongs to the outcome. The claim on the username and the unique indexes decide between parallel
 * registrations. A registration with a taken address reserves its username, so that the next one
 * with that username meets what it would meet after a success.
 */
export function register(
  database: Database,
  account: NewAccount,
  nowMs: number,
  onOutcome: (tx: Sql, outcome: Registration) => Promise<void>,
): Promise<Registration> {
  return database.transaction(async (tx) => {
    const outcome = await insertAccount(tx, account, nowMs);
    await onOutcome(tx, outcome);
    return outcome;
  });
}

/** An address that its former account can still take back is taken: a newcomer must not block that. */
async function insertAccount(tx: Sql, account: NewAccount, nowMs: number): Promise<Registration> {
  if (!(await claimUsername(tx, account.username, nowMs))) {
    return { kind: 'username-taken' };
  }
  const [inserted] = await tx.query<{ id: string }>(
    `INSERT INTO accounts (id, name, username, email, password_hash, birthdate, gender,
                           created_at, updated_at)
     SELECT $1, $2, $3, $4, $5, $6::date, $7, $8::timestamptz, $8::timestamptz
     WHERE NOT EXISTS (
       SELECT 1 FROM email_tokens
       WHERE purpose = 'revert-email' AND lower(email) = lower($4) AND expires_at > $8::timestamptz
     )
     ON CONFLICT DO NOTHING RETURNING id`,
    [
      newId('usr', nowMs),
      account.name,
      account.username,
      account.email,
      account.passwordHash,
      account.birthdate,
      account.gender,
      new Date(nowMs),
    ],
  );
  if (inserted !== undefined) {
    return { kind: 'registered', accountId: inserted.id };
  }
  const [owner] = await tx.query<EmailOwner>(
    `SELECT a.id AS "accountId", ${greetedName('a')}, a.email
     FROM accounts a WHERE lower(a.email) = lower($1)
     UNION ALL
     SELECT a.id, a.name, l.email FROM email_tokens l JOIN accounts a ON a.id = l.account_id
     WHERE l.purpose = 'revert-email' AND lower(l.email) = lower($1)
     LIMIT 1`,
    [account.email],
  );
  if (owner === undefined) {
    // The account in the way is gone, or has just taken the username: the next try will tell.
    throw unavailable('The service is busy, please try again', RETRY_AFTER_SECONDS);
  }
  await reserveUsername(tx, account.username, nowMs);
  return { kind: 'email-taken', owner };
}
