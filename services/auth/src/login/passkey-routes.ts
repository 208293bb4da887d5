import { LoginResponse } from '@atrium/contracts/auth/accounts';
import { errorResponses } from '@atrium/contracts/errors';
import { PasskeyLoginBody, PasskeyRequestOptions } from '@atrium/contracts/auth/passkeys';
import type { RateLimiter } from '@atrium/service-kit/rate-limit';
import type { Server } from '@atrium/service-kit/server';
import { generateAuthenticationOptions } from '@simplewebauthn/server';
import { limitAttempts } from '../attempt-limiter.ts';
import { RATE_LIMITS } from '../rate-limits.ts';
import { issueChallenge } from '../second-factor/passkeys/challenge.ts';
import { logInWithPasskey, type PasskeyLoginDeps } from './passkey-login.ts';

interface PasskeyLoginRoutesDeps extends PasskeyLoginDeps {
  rateLimiter: RateLimiter;
}

const tags = ['Login'];

export function passkeyLoginRoutes(server: Server, deps: PasskeyLoginRoutesDeps): void {
  const { rateLimiter, relyingParty } = deps;

  server.post(
    '/auth/passkey/options',
    {
      config: { rateLimit: RATE_LIMITS.mfaOptions },
      schema: {
        operationId: 'getPasskeyLoginOptions',
        summary: 'Begin to log in with a passkey',
        tags,
        response: { 200: PasskeyRequestOptions, ...errorResponses() },
      },
    },
    async (_request, reply) => {
      const use = { purpose: 'login', accountId: null } as const;
      reply.header('cache-control', 'no-store');
      // Naming credentials would reveal who has an account; the browser knows its own.
      return generateAuthenticationOptions({
        rpID: relyingParty.id,
        challenge: await issueChallenge(deps.database, use, deps.clockMs()),
        userVerification: 'required',
      });
    },
  );

  server.post(
    '/auth/passkey',
    {
      schema: {
        operationId: 'logInWithPasskey',
        summary: 'Log in with a passkey',
        tags,
        body: PasskeyLoginBody,
        response: {
          200: LoginResponse,
          ...errorResponses(422, 'passkey-refused', 'account-suspended'),
        },
      },
    },
    async (request, reply) => {
      const { credential } = request.body;
      const client = deps.logins.clientOf(request);
      const attempt = { rule: RATE_LIMITS.mfaByIp, key: request.ip };
      const started = await limitAttempts(rateLimiter, [attempt], () =>
        logInWithPasskey(deps, { credential, client }),
      );
      return deps.logins.respond(reply, started);
    },
  );
}
