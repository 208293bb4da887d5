// Raw SQL: lower(email), conditional inserts and ON CONFLICT are beyond Prisma.
import type { RegisterBody } from '@atrium/contracts/auth/accounts';
import type { Language } from '@atrium/contracts/auth/profile';
import { newId } from '@atrium/contracts/ids';
import type { Sql } from '@atrium/service-kit/database';
import { recipientColumns } from './recipient-columns.ts';

export type NewAccount = Omit<RegisterBody, 'password' | 'invitation'> & {
  passwordHash: string;
  language: Language;
};

export interface EmailOwner {
  accountId: string;
  name: string;
  language: Language;
  email: string;
}

/**
 * The unique indexes decide between parallel registrations. An address that its former account can
 * still restore counts as taken.
 *
 * @returns the id, or undefined when the address is taken
 */
export async function insertAccount(
  tx: Sql,
  account: NewAccount,
  nowMs: number,
): Promise<string | undefined> {
  const [inserted] = await tx.query<{ id: string }>(
    `INSERT INTO accounts (id, name, username, email, password_hash, birthdate, gender,
                           language, created_at, updated_at)
     SELECT $1, $2, $3, $4, $5, $6::date, $7, $8, $9::timestamptz, $9::timestamptz
     WHERE NOT EXISTS (
       SELECT 1 FROM email_tokens
       WHERE purpose = 'revert-email' AND lower(email) = lower($4) AND expires_at > $9::timestamptz
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
      account.language,
      new Date(nowMs),
    ],
  );
  return inserted?.id;
}

/** The account that has an address or can still restore it. */
export async function findEmailOwner(tx: Sql, email: string): Promise<EmailOwner | undefined> {
  const [owner] = await tx.query<EmailOwner>(
    `SELECT a.id AS "accountId", ${recipientColumns('a')}, a.email
     FROM accounts a WHERE lower(a.email) = lower($1)
     UNION ALL
     SELECT a.id, a.name, a.language, t.email FROM email_tokens t JOIN accounts a ON a.id = t.account_id
     WHERE t.purpose = 'revert-email' AND lower(t.email) = lower($1)
     LIMIT 1`,
    [email],
  );
  return owner;
}
