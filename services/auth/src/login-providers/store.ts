import { newId } from '@atrium/contracts/ids';
import { HttpError } from '@atrium/service-kit/http-error';
import { NO_PASSWORD } from '@atrium/service-kit/password-hasher';
import type { Queries, Tx } from '../database.ts';

/** A person at a provider. */
export interface ProviderSubject {
  provider: string;
  subject: string;
}

export async function findIdentityOwner(
  queries: Queries,
  of: ProviderSubject,
): Promise<string | undefined> {
  const found = await queries.prisma.loginIdentity.findUnique({
    where: { provider_subject: of },
    select: { accountId: true },
  });
  return found?.accountId;
}

/** @throws HttpError 409 when an account has it already */
export async function insertIdentity(
  tx: Tx,
  identity: ProviderSubject & { accountId: string; label: string; nowMs: number },
): Promise<void> {
  const { nowMs, ...fields } = identity;
  const now = new Date(nowMs);
  const { count } = await tx.prisma.loginIdentity.createMany({
    data: { id: newId('idt', nowMs), ...fields, createdAt: now, lastUsedAt: now },
    skipDuplicates: true,
  });
  if (count === 0) throw new HttpError('identity-taken');
}

/** Notes a login. @returns false when it has been unlinked meanwhile */
export async function useIdentity(
  tx: Tx,
  { accountId, nowMs, ...of }: ProviderSubject & { accountId: string; nowMs: number },
): Promise<boolean> {
  const { count } = await tx.prisma.loginIdentity.updateMany({
    where: { ...of, accountId },
    data: { lastUsedAt: new Date(nowMs) },
  });
  return count === 1;
}

export function listIdentities(queries: Queries, accountId: string) {
  return queries.prisma.loginIdentity.findMany({
    where: { accountId },
    orderBy: { id: 'asc' },
    select: { id: true, provider: true, label: true, createdAt: true, lastUsedAt: true },
  });
}

export async function hasPassword(queries: Queries, accountId: string): Promise<boolean> {
  const count = await queries.prisma.account.count({
    where: { id: accountId, passwordHash: { not: NO_PASSWORD } },
  });
  return count === 1;
}

/** @returns its provider; undefined when the account has no such identity */
export async function deleteIdentity(
  tx: Tx,
  where: { id: string; accountId: string },
): Promise<string | undefined> {
  const found = await tx.prisma.loginIdentity.findUnique({ where, select: { provider: true } });
  await tx.prisma.loginIdentity.deleteMany({ where });
  return found?.provider;
}

/** @returns the providers of the identities that were linked at or after `since`; raw SQL for RETURNING */
export async function deleteIdentitiesSince(
  tx: Tx,
  { accountId, since }: { accountId: string; since: Date },
): Promise<string[]> {
  const rows = await tx.query<{ provider: string }>(
    'DELETE FROM login_identities WHERE account_id = $1 AND created_at >= $2 RETURNING provider',
    [accountId, since],
  );
  return rows.map(({ provider }) => provider);
}
