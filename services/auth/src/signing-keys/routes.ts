import { errorResponses } from '@atrium/contracts/errors';
import { JsonWebKeySet } from '@atrium/contracts/auth/tokens';
import type { Server } from '@atrium/service-kit/server';
import Type from 'typebox';
import type { SigningKeys } from './signing-keys.ts';

/** Far shorter than the time a key is published before it signs. */
const MAX_AGE_SECONDS = 60;

/** The public keys with which every service verifies access tokens itself (RFC 7517). */
export function signingKeyRoutes(
  server: Server,
  { signingKeys }: { signingKeys: Pick<SigningKeys, 'published'> },
): void {
  server.get(
    '/.well-known/jwks.json',
    {
      config: { cors: false },
      schema: {
        operationId: 'getSigningKeys',
        summary: 'Get the public keys that verify access tokens',
        tags: ['Signing keys'],
        response: { 200: JsonWebKeySet, 304: Type.Null(), ...errorResponses() },
      },
    },
    async (request, reply) => {
      const { keySet, etag } = signingKeys.published();
      reply.header('cache-control', `public, max-age=${MAX_AGE_SECONDS}`).header('etag', etag);
      // Single-page applications verify their ID tokens themselves.
      reply.header('access-control-allow-origin', '*');
      if (matchesEtag(etag, request.headers['if-none-match'])) {
        return reply.code(304).send(null);
      }
      return keySet;
    },
  );
}

/** The weak comparison of RFC 9110 section 13.1.2. */
function matchesEtag(etag: string, ifNoneMatch: string | undefined): boolean {
  const tags = ifNoneMatch?.split(',').map((tag) => tag.trim().replace(/^W\//, '')) ?? [];
  return tags.includes(etag) || tags.includes('*');
}
