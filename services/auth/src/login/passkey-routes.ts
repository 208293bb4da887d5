import { LoginResponse } from '@atrium/contracts/auth';
import { errorResponses } from '@atrium/contracts/errors';
import { PasskeyLoginBody, PasskeyRequestOptions } from '@atrium/contracts/passkeys';
import type { KeyRing } from '@atrium/service-kit/key-ring';
import type { RateLimiter } from '@atrium/service-kit/rate-limit';
import type { Server } from '@atrium/service-kit/server';
import { generateAuthenticationOptions } from '@simplewebauthn/server';
import { originOf } from '../audit/origin.ts';
import { countGuess } from '../attempt-limiter.ts';
import { clientOf } from '../accounts/requester.ts';
import { RATE_LIMITS } from '../rate-limits.ts';
import { setSessionCookies } from '../sessions/cookies.ts';
import { sessionAnswer, type SessionAnswerDeps } from '../sessions/session-response.ts';
import { issueChallenge } from '../second-factor/passkeys/challenge.ts';
import { logInWithPasskey, type PasskeyLoginDeps } from './passkey-login.ts';

interface PasskeyLoginRoutesDeps extends PasskeyLoginDeps, SessionAnswerDeps {
  keyRing: KeyRing;
  rateLimiter: RateLimiter;
}

const tags = ['sessions'];

/** Login with a passkey and without a password. */
export function passkeyLoginRoutes(server: Server, deps: PasskeyLoginRoutesDeps): void {
  const { database, rateLimiter, relyingParty } = deps;

  server.post(
    '/auth/passkey/options',
    {
      schema: {
        summary: 'Begin to log in with a passkey',
        tags,
        response: { 200: PasskeyRequestOptions, ...errorResponses() },
      },
    },
    async (request, reply) => {
      await rateLimiter.consume(RATE_LIMITS.mfaOptionsByAddress, request.ip);
      const use = { purpose: 'login', accountId: null } as const;
      reply.header('cache-control', 'no-store');
      // No credentials are named: that would say who has an account. The browser knows its own.
      return generateAuthenticationOptions({
        rpID: relyingParty.id,
        challenge: await issueChallenge(database, use, deps.clockMs()),
        userVerification: 'required',
      });
    },
  );

  server.post(
    '/auth/passkey',
    {
      schema: {
        summary: 'Log in with a passkey',
        tags,
        body: PasskeyLoginBody,
        response: { 200: LoginResponse, ...errorResponses(401, 422) },
      },
    },
    async (request, reply) => {
      const { credential } = request.body;
      const client = clientOf(deps.keyRing, request);
      const login = { credential, client, origin: originOf(request) };
      const guess = { rule: RATE_LIMITS.mfaByAddress, key: request.ip };
      const started = await countGuess(rateLimiter, [guess], () => logInWithPasskey(deps, login));
      setSessionCookies(reply, started);
      return sessionAnswer(deps, started);
    },
  );
}
