import { errorResponses } from '@atrium/contracts/errors';
import { REVOKED_SESSIONS_PATH, RevokedSessionList } from '@atrium/contracts/revoked-sessions';
import type { Server } from '@atrium/service-kit/server';
import type { RevokedSessions } from './revoked-sessions.ts';

/**
 * For services that cannot learn it from Redis. Needs no secret, as a digest of a session id says
 * nothing to whoever does not have a token of the session.
 */
export function revokedSessionsRoutes(
  server: Server,
  { revokedSessions }: { revokedSessions: Pick<RevokedSessions, 'digests'> },
): void {
  server.get(
    REVOKED_SESSIONS_PATH,
    {
      schema: {
        summary: 'Sessions that ended while an access token of theirs may live',
        description:
          'Pairs of the SHA-256 of a session id (base64url) and the time in milliseconds from which ' +
          'it need not be known any more.',
        tags: ['internal'],
        response: { 200: RevokedSessionList, ...errorResponses() },
      },
    },
    (_request, reply) => {
      reply.header('cache-control', 'no-store');
      return { sessions: revokedSessions.digests() };
    },
  );
}
