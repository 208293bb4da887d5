import { errorResponses } from '@atrium/contracts/errors';
import { ENDED_SESSIONS_PATH, EndedSessions } from '@atrium/contracts/revocations';
import type { Server } from '@atrium/service-kit/server';
import type { Revocations } from './revocations.ts';

/**
 * For services that cannot learn it from Redis. Needs no secret, as a digest of a session id says
 * nothing to whoever does not have a token of the session.
 */
export function endedSessionsRoutes(
  server: Server,
  { revocations }: { revocations: Pick<Revocations, 'digests'> },
): void {
  server.get(
    ENDED_SESSIONS_PATH,
    {
      schema: {
        summary: 'Sessions that ended while an access token of theirs may live',
        description:
          'Pairs of the SHA-256 of a session id (base64url) and the time in milliseconds from which ' +
          'it need not be known any more.',
        tags: ['internal'],
        response: { 200: EndedSessions, ...errorResponses() },
      },
    },
    (_request, reply) => {
      reply.header('cache-control', 'no-store');
      return { sessions: revocations.digests() };
    },
  );
}
