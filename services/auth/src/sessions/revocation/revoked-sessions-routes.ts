import { errorResponses } from '@atrium/contracts/errors';
import {
  REVOKED_SESSIONS_PATH,
  RevokedSessionsPage,
} from '@atrium/contracts/auth/revoked-sessions';
import type { Sql } from '@atrium/service-kit/database';
import type { Server } from '@atrium/service-kit/server';
import Type from 'typebox';
import { CURSOR_PATTERN, readRevokedSessions } from './revoked-session-store.ts';

/** Every process of a service asks twice a second, and many may share an address. */
const READS_PER_ADDRESS = { name: 'revoked-sessions', limit: 30_000, windowSeconds: 60 };

/**
 * For the other services. Needs no secret: the digest of a session id tells nothing to anyone who
 * has no token of the session.
 */
export function revokedSessionsRoutes(
  server: Server,
  { database, clockMs }: { database: Sql; clockMs: () => number },
): void {
  server.get(
    REVOKED_SESSIONS_PATH,
    {
      config: { defaultLimit: READS_PER_ADDRESS },
      schema: {
        operationId: 'listRevokedSessions',
        summary:
          'List revoked sessions whose access tokens, or portal links made with them, have not expired',
        description:
          'Sessions appear as the SHA-256 of their ids. Pass `nextCursor` back to read only what ' +
          'was revoked since.',
        tags: ['Sessions'],
        querystring: Type.Object({
          cursor: Type.Optional(Type.String({ maxLength: 110, pattern: CURSOR_PATTERN })),
        }),
        response: { 200: RevokedSessionsPage, ...errorResponses(422) },
      },
    },
    async (request, reply) => {
      reply.header('cache-control', 'no-store');
      return readRevokedSessions(database, request.query.cursor, clockMs());
    },
  );
}
