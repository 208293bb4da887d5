import type { Sql } from '@atrium/service-kit/database';
import type { PasswordHasher } from './hasher.ts';
import { exchangeHash } from './upgrade-store.ts';

/**
 * Stores a password that has just been found right with today's parameters, if it was stored with
 * others. Answers the hash that the password fits now: parallel logins upgrade it only once.
 */
export async function upgradeHash(
  { database, hasher }: { database: Sql; hasher: PasswordHasher },
  account: { id: string; passwordHash: string },
  password: string,
): Promise<string> {
  const { id: accountId, passwordHash: from } = account;
  const to = await hasher.upgrade(from, password);
  if (to === undefined) {
    return from;
  }
  const stored = await exchangeHash(database, { accountId, from, to });
  const isStillRight =
    stored === to || (stored !== undefined && (await hasher.verify(stored, password)));
  return isStillRight ? stored : from;
}
