// Raw SQL: the login is a measured hot path, and it locks the row.
import type { Language } from '@atrium/contracts/auth/profile';
import type { Plan } from '@atrium/contracts/auth/tokens';
import type { Sql } from '@atrium/service-kit/database';

export interface LoginAccount {
  id: string;
  name: string;
  language: Language;
  username: string;
  email: string;
  avatar: string | null;
  passwordHash: string;
  plan: Plan;
  emailVerified: boolean;
  createdAt: Date;
  /** Nobody can log in while it is set. */
  suspendedAt: Date | null;
  /** When the account will be erased, if its owner has asked for that. */
  erasesAt: Date | null;
}

export interface FoundAccount extends Pick<LoginAccount, 'id' | 'passwordHash'> {
  /** The account has been logged in to from this device before. */
  isKnownDevice: boolean;
}

export async function findLoginAccount(
  sql: Sql,
  { email, fingerprint }: { email: string; fingerprint: Buffer },
): Promise<FoundAccount | undefined> {
  const [account] = await sql.query<FoundAccount>(
    `SELECT id, password_hash AS "passwordHash", EXISTS (
       SELECT 1 FROM account_devices WHERE account_id = accounts.id AND fingerprint = $2
     ) AS "isKnownDevice"
     FROM accounts WHERE lower(email) = lower($1)`,
    [email, fingerprint],
  );
  return account;
}

/** Locks as `lockAccount` does, so that the logins of an account run one after another. */
export async function lockLoginAccount(tx: Sql, id: string): Promise<LoginAccount | undefined> {
  const [account] = await tx.query<LoginAccount>(
    `SELECT id, name, language, username, email, avatar, password_hash AS "passwordHash", plan,
            email_verified_at IS NOT NULL AS "emailVerified", created_at AS "createdAt",
            suspended_at AS "suspendedAt", deletion_due_at AS "erasesAt"
     FROM accounts WHERE id = $1 FOR NO KEY UPDATE`,
    [id],
  );
  return account;
}
