import { errorResponses } from '@atrium/contracts/errors';
import { JsonWebKeySet } from '@atrium/contracts/tokens';
import type { Server } from '@atrium/service-kit/server';

/** The public keys, from which every service verifies access tokens by itself (RFC 7517). */
export function keyRoutes(server: Server, { keySet }: { keySet: JsonWebKeySet }): void {
  server.get(
    '/.well-known/jwks.json',
    {
      schema: {
        summary: 'Public keys of access tokens',
        tags: ['keys'],
        response: { 200: JsonWebKeySet, ...errorResponses() },
      },
    },
    async (_request, reply) => {
      reply.header('cache-control', 'public, max-age=60');
      return keySet;
    },
  );
}
