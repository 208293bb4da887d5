import type { Sql } from '@atrium/service-kit/database';
import { HttpError } from '@atrium/service-kit/http-error';
import type { PasswordHasher } from '@atrium/service-kit/password-hasher';
import type { RateLimiter } from '@atrium/service-kit/rate-limit';
import { type Account, findById, findBySession } from '../../accounts/store.ts';
import { limitAttempts, limitHashes } from '../../attempt-limiter.ts';
import type { RequestOrigin } from '../../audit/entry.ts';
import type { AuditLog } from '../../audit/record.ts';
import { RATE_LIMITS } from '../../rate-limits.ts';

/** What a request shows beside the token of an emailed link. */
export interface LinkCredentials {
  session: { accountId: string; sessionId: string } | null;
  password: string | undefined;
  origin: RequestOrigin;
}

/** Shows that the request comes from the owner of the account that a link is about. */
export type LinkProof = { session: { sessionId: string } } | { passwordHash: string };

export interface LinkProofDeps {
  database: Sql;
  rateLimiter: RateLimiter;
  hasher: Pick<PasswordHasher, 'verify'>;
  audit: AuditLog;
}

/**
 * The reader of a mailbox need not be the person who registered with its address. Only a session or the
 * password of the account shows that they are the same.
 *
 * @returns undefined when the request shows neither
 * @throws HttpError 401 for a wrong password, 429 after too many wrong ones
 */
export async function findLinkProof(
  deps: LinkProofDeps,
  accountId: string,
  { session, password, origin }: LinkCredentials,
): Promise<LinkProof | undefined> {
  if (password === undefined) {
    return session?.accountId === accountId ? { session } : undefined;
  }
  const attempt = { rule: RATE_LIMITS.linkPassword, key: accountId };
  return limitAttempts(deps.rateLimiter, [attempt], async () => {
    await limitHashes(deps.rateLimiter, { accountId, ipAddress: origin.ipAddress });
    const account = await findById(deps.database, accountId);
    if (account === undefined || !(await deps.hasher.verify(account.passwordHash, password))) {
      await deps.audit.record(deps.database, { kind: 'password.refused', accountId, origin });
      throw new HttpError('password-wrong');
    }
    return { passwordHash: account.passwordHash };
  });
}

/** Whether a proof still holds once the account is locked. */
export async function isProofValid(tx: Sql, account: Account, proof: LinkProof): Promise<boolean> {
  if ('passwordHash' in proof) return proof.passwordHash === account.passwordHash;
  const requester = { accountId: account.id, sessionId: proof.session.sessionId };
  return (await findBySession(tx, requester)) !== undefined;
}
