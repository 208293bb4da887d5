import type { RegisterBody } from '@atrium/contracts/auth';
import { newId } from '@atrium/contracts/ids';
import type { Database, Sql } from '@atrium/service-kit/database';
import type { PrismaClient } from '../generated/client.ts';

export type NewAccount = Omit<RegisterBody, 'password'> & { passwordHash: string };

export type Registration =
  | { kind: 'registered'; accountId: string }
  | { kind: 'username-taken' }
  | { kind: 'email-taken'; owner: { name: string; email: string } };

export async function isUsernameTaken(sql: Sql, username: string): Promise<boolean> {
  const rows = await sql.query('SELECT 1 FROM accounts WHERE lower(username) = lower($1)', [
    username,
  ]);
  return rows.length > 0;
}

/**
 * Inserts an account and runs `onOutcome` in the same transaction, which writes the mail that
 * belongs to the outcome. The unique indexes decide between parallel registrations.
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

async function insertAccount(tx: Sql, account: NewAccount, nowMs: number): Promise<Registration> {
  const [inserted] = await tx.query<{ id: string }>(
    `INSERT INTO accounts (id, name, username, email, password_hash, birthdate, gender,
                           created_at, updated_at)
     VALUES ($1, $2, $3, $4, $5, $6::date, $7, $8, $8)
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
  if (await isUsernameTaken(tx, account.username)) {
    return { kind: 'username-taken' };
  }
  const [owner] = await tx.query<{ name: string; email: string }>(
    'SELECT name, email FROM accounts WHERE lower(email) = lower($1)',
    [account.email],
  );
  if (owner === undefined) {
    throw new Error('A registration conflicted with an account that is gone');
  }
  return { kind: 'email-taken', owner };
}

/** The account of a session that has not been ended. */
export function findCurrentAccount(
  prisma: PrismaClient,
  { accountId, sessionId }: { accountId: string; sessionId: string },
) {
  return prisma.account.findFirst({
    where: { id: accountId, sessions: { some: { id: sessionId, revokedAt: null } } },
    select: {
      id: true,
      name: true,
      username: true,
      email: true,
      bio: true,
      avatar: true,
      profileLinks: true,
      emailVerifiedAt: true,
      createdAt: true,
    },
  });
}
