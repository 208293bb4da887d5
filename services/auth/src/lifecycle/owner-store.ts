import { Language } from '@atrium/contracts/profile';
import Value from 'typebox/value';
import type { Recipient } from '../email/templates/content.ts';
import type { Tx } from '../transaction-store.ts';

/** The recipient of emails about an account. */
export async function findOwner(tx: Tx, accountId: string): Promise<Recipient | null> {
  const owner = await tx.account.findUnique({
    where: { id: accountId },
    select: { email: true, name: true, language: true },
  });
  return owner && { ...owner, language: Value.Parse(Language, owner.language) };
}
