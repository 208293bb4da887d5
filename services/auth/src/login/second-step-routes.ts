import { LoginResponse } from '@atrium/contracts/auth';
import { errorResponses } from '@atrium/contracts/errors';
import { MfaBody, MfaOptions, MfaOptionsBody } from '@atrium/contracts/mfa';
import { badRequest } from '@atrium/service-kit/http-error';
import type { Server } from '@atrium/service-kit/server';
import { originOf } from '../audit/origin.ts';
import { countGuess } from '../attempt-limiter.ts';
import { RATE_LIMITS } from '../rate-limits.ts';
import { setSessionCookies } from '../sessions/cookies.ts';
import { sessionAnswer, type SessionAnswerDeps } from '../sessions/session-response.ts';
import { completeLogin, type CompleteLoginDeps } from './second-step.ts';
import { secondStepOptions } from '../second-factor/challenges/options.ts';
import { clientOf } from '../accounts/requester.ts';
import { ownerOfPendingLogin } from '../second-factor/challenges/challenge.ts';
import { readStep } from '../second-factor/challenges/second-step.ts';

interface MfaLoginRoutesDeps extends CompleteLoginDeps, SessionAnswerDeps {}

const tags = ['sessions'];

/** The second step of a login whose password was right. */
export function mfaLoginRoutes(server: Server, deps: MfaLoginRoutesDeps): void {
  const { rateLimiter } = deps;

  server.post(
    '/auth/mfa/options',
    {
      schema: {
        summary: 'What the second step of a login can be taken with',
        tags,
        body: MfaOptionsBody,
        response: { 200: MfaOptions, ...errorResponses(401, 422) },
      },
    },
    async (request, reply) => {
      await rateLimiter.consume(RATE_LIMITS.mfaOptionsByAddress, request.ip);
      const nowMs = deps.clockMs();
      const accountId = await ownerOfPendingLogin(deps.database, request.body.mfaToken, nowMs);
      reply.header('cache-control', 'no-store');
      return secondStepOptions(deps, accountId, nowMs);
    },
  );

  server.post(
    '/auth/mfa',
    {
      schema: {
        summary: 'Take the second step of a login',
        tags,
        body: MfaBody,
        response: { 200: LoginResponse, ...errorResponses(401, 422) },
      },
    },
    async (request, reply) => {
      const { mfaToken, ...step } = request.body;
      const given = readStep(step);
      if (given === undefined) {
        throw badRequest('One of code, recoveryCode and passkey is required');
      }
      const client = clientOf(deps.keyRing, request);
      const completion = { mfaToken, given, client, origin: originOf(request) };
      const guess = { rule: RATE_LIMITS.mfaByAddress, key: request.ip };
      const started = await countGuess(rateLimiter, [guess], () => completeLogin(deps, completion));
      if (given.factor === 'recovery-code') {
        deps.wakeEmailSender();
      }
      setSessionCookies(reply, started);
      return sessionAnswer(deps, started);
    },
  );
}
