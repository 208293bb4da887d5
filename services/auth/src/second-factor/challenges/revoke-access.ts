import type { Tx } from '../../database.ts';
import { type RevokedSession, revokeSessions } from '../../sessions/store.ts';
import { deleteChallengesOf } from './challenge.ts';

/**
 * Revokes what the password has given access to: sessions, and logins that wait for a second step. The
 * caller holds the account's lock.
 */
export async function revokeAccess(
  tx: Tx,
  access: { accountId: string; exceptSessionId?: string | undefined; nowMs: number },
): Promise<RevokedSession[]> {
  await deleteChallengesOf(tx, access.accountId);
  return revokeSessions(tx, access, access.nowMs);
}
