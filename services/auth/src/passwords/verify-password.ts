import type { PasswordHasher } from '@atrium/service-kit/password-hasher';
import type { Database } from '../database.ts';
import { exchangePasswordHash } from '../accounts/password-store.ts';

/**
 * Verifies the password of a login, and stores it with today's parameters if it was hashed with
 * others. Without an account it takes the same time.
 *
 * @returns the hash that fits the password now, or undefined when the password is wrong
 */
export async function verifyPassword(
  { database, hasher }: { database: Database; hasher: PasswordHasher },
  account: { id: string; passwordHash: string } | undefined,
  password: string,
): Promise<string | undefined> {
  const isRight = await hasher.verify(account?.passwordHash, password);
  if (account === undefined || !isRight) {
    return undefined;
  }
  const { id: accountId, passwordHash: from } = account;
  const to = await hasher.upgrade(from, password);
  if (to === undefined) {
    return from;
  }
  const stored = await exchangePasswordHash(database, { accountId, from, to });
  const isStillRight =
    stored === to || (stored !== undefined && (await hasher.verify(stored, password)));
  return isStillRight ? stored : from;
}
