import { errorResponses } from '@atrium/contracts/errors';
import { MfaOptions } from '@atrium/contracts/auth/mfa';
import { accountOf, type Authenticator } from '@atrium/service-kit/authentication';
import type { Server } from '@atrium/service-kit/server';
import type { Database } from '../../database.ts';
import { RATE_LIMITS } from '../../rate-limits.ts';
import type { RelyingParty } from '../passkeys/relying-party.ts';
import { mfaOptions } from './options.ts';

export interface ReauthenticationRoutesDeps {
  database: Database;
  relyingParty: RelyingParty;
  authenticator: Authenticator;
  clockMs: () => number;
}

export function reauthenticationRoutes(server: Server, deps: ReauthenticationRoutesDeps): void {
  server.post(
    '/user/second-factor/options',
    {
      config: { rateLimit: RATE_LIMITS.mfaOptions },
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
      reply.header('cache-control', 'no-store');
      return mfaOptions(deps, accountOf(request).id, deps.clockMs());
    },
  );
}
