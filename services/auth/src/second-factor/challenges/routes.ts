import { errorResponses } from '@atrium/contracts/errors';
import { MfaOptions } from '@atrium/contracts/mfa';
import { accountOf, type Authenticator } from '@atrium/service-kit/authentication';
import type { RateLimiter } from '@atrium/service-kit/rate-limit';
import type { Server } from '@atrium/service-kit/server';
import type { PrismaClient } from '../../transaction-store.ts';
import { RATE_LIMITS } from '../../rate-limits.ts';
import type { RelyingParty } from '../passkeys/relying-party.ts';
import { mfaOptions } from './options.ts';

interface ReauthenticationRoutesDeps {
  prisma: PrismaClient;
  relyingParty: RelyingParty;
  authenticator: Authenticator;
  rateLimiter: RateLimiter;
  clockMs: () => number;
}

export function reauthenticationRoutes(server: Server, deps: ReauthenticationRoutesDeps): void {
  server.post(
    '/user/second-factor/options',
    {
      onRequest: deps.authenticator.authenticate,
      schema: {
        operationId: 'getReauthenticationOptions',
        summary: 'List the ways to re-authenticate, with a challenge for passkeys',
        tags: ['Second factor'],
        security: [{ bearer: [] }],
        response: { 200: MfaOptions, ...errorResponses(401) },
      },
    },
    async (request, reply) => {
      await deps.rateLimiter.consume(RATE_LIMITS.mfaOptionsByAddress, request.ip);
      reply.header('cache-control', 'no-store');
      return mfaOptions(deps, accountOf(request).id, deps.clockMs());
    },
  );
}
