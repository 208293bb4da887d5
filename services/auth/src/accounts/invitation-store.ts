// Raw SQL: part of transactions without Prisma.
import { INVITATION_DAYS } from '@atrium/contracts/notes/invitations';
import type { Sql } from '@atrium/service-kit/database';
import type { KeyRing } from '@atrium/service-kit/key-ring';

const contextOf = (accountId: string) => `${accountId}/invitation`;

/** Keeps the token of the invitation that led to a registration, until the address is verified. */
export async function keepInvitation(
  tx: Sql,
  keyRing: KeyRing,
  { accountId, invitation }: { accountId: string; invitation: string },
): Promise<void> {
  await tx.query('UPDATE accounts SET invitation = $2 WHERE id = $1', [
    accountId,
    keyRing.encrypt(invitation, contextOf(accountId)),
  ]);
}

/** The kept token; undefined when there is none, or its invitation has expired by now. */
export async function findInvitation(
  tx: Sql,
  keyRing: KeyRing,
  { accountId, nowMs }: { accountId: string; nowMs: number },
): Promise<string | undefined> {
  const [kept] = await tx.query<{ invitation: string }>(
    `SELECT invitation FROM accounts WHERE id = $1 AND invitation IS NOT NULL
       AND created_at > $2::timestamptz - make_interval(days => ${INVITATION_DAYS})`,
    [accountId, new Date(nowMs)],
  );
  if (kept === undefined) return undefined;
  try {
    return keyRing.decrypt(kept.invitation, contextOf(accountId));
  } catch {
    // Its key has left the ring; the email is needed all the same.
    return undefined;
  }
}
