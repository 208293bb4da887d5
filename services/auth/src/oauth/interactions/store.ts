import type { Database, Queries } from '../../database.ts';
import { PROFILE_FIELDS, profileOf } from '../applications/profile.ts';

/** What people are shown of an application; undefined: it is gone. */
export async function findApplicationProfile(queries: Queries, id: string, authUrl: string) {
  const where = { id };
  const found = await queries.prisma.application.findUnique({ where, select: PROFILE_FIELDS });
  return found === null ? undefined : profileOf(found, authUrl);
}

/** The account that a session belongs to; undefined when the session has ended. */
export async function findLogin(
  database: Database,
  { sessionId, nowMs }: { sessionId: string; nowMs: number },
) {
  const found = await database.prisma.session.findUnique({
    where: { id: sessionId, revokedAt: null, expiresAt: { gt: new Date(nowMs) } },
    select: { account: { select: { id: true, name: true, email: true } } },
  });
  return found?.account;
}
