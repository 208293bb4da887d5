import { Language } from '@atrium/contracts/auth/profile';
import Value from 'typebox/value';
import type { Tx } from '../database.ts';
import type { Recipient } from '../email/templates/content.ts';

/** The recipient of emails about an account. */
export async function findOwner(tx: Tx, accountId: string): Promise<Recipient | null> {
  const owner = await tx.prisma.account.findUnique({
    where: { id: accountId },
    select: { email: true, name: true, language: true },
  });
  return owner && { ...owner, language: Value.Parse(Language, owner.language) };
}
