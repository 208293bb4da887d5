import type { Database } from '../database.ts';

/**
 * Whether the access tokens of a session carry the role of an operator: the address is configured and
 * verified, a second factor is on, and the session has passed it. It is asked whenever a token is issued, so
 * an account that loses the role keeps it for the lifetime of one token.
 */
export function createOperatorRole(
  database: Database,
  emails: readonly string[],
): (session: { email: string; sessionId: string }) => Promise<boolean> {
  const operators = new Set(emails.map((email) => email.toLowerCase()));
  return async ({ email, sessionId }) => {
    if (!operators.has(email.toLowerCase())) return false;
    const isFactorOn = [{ totpFactor: { confirmedAt: { not: null } } }, { passkeys: { some: {} } }];
    const account = { emailVerifiedAt: { not: null }, OR: isFactorOn };
    const where = { id: sessionId, passedSecondFactor: true, account };
    return (await database.prisma.session.findFirst({ where, select: { id: true } })) !== null;
  };
}
