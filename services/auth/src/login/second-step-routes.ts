import { LoginResponse } from '@atrium/contracts/auth/accounts';
import { errorResponses } from '@atrium/contracts/errors';
import { MfaBody, MfaOptions, MfaOptionsBody } from '@atrium/contracts/auth/mfa';
import { badRequest } from '@atrium/service-kit/http-error';
import type { Server } from '@atrium/service-kit/server';
import { limitAttempts } from '../attempt-limiter.ts';
import { RATE_LIMITS } from '../rate-limits.ts';
import { findChallengeAccount } from '../second-factor/challenges/challenge.ts';
import { mfaOptions } from '../second-factor/challenges/options.ts';
import { readStep } from '../second-factor/challenges/second-step.ts';
import { logInWithSecondStep, type SecondStepLoginDeps } from './second-step-login.ts';

interface SecondStepRoutesDeps extends SecondStepLoginDeps {}

const tags = ['Login'];

export function secondStepRoutes(server: Server, deps: SecondStepRoutesDeps): void {
  const { rateLimiter } = deps;

  server.post(
    '/auth/mfa/options',
    {
      config: { rateLimit: RATE_LIMITS.mfaOptions },
      schema: {
        operationId: 'getMfaLoginOptions',
        summary: 'List the ways to complete a login, with a challenge for passkeys',
        tags,
        body: MfaOptionsBody,
        response: { 200: MfaOptions, ...errorResponses(422, 'login-expired') },
      },
    },
    async (request, reply) => {
      const nowMs = deps.clockMs();
      const accountId = await findChallengeAccount(deps.database, request.body.mfaToken, nowMs);
      reply.header('cache-control', 'no-store');
      return mfaOptions(deps, accountId, nowMs);
    },
  );

  server.post(
    '/auth/mfa',
    {
      schema: {
        operationId: 'completeMfaLogin',
        summary: 'Complete a login with a second factor',
        tags,
        body: MfaBody,
        response: {
          200: LoginResponse,
          ...errorResponses(
            422,
            'login-expired',
            'code-wrong',
            'passkey-refused',
            'account-suspended',
          ),
        },
      },
    },
    async (request, reply) => {
      const { mfaToken, ...step } = request.body;
      const given = readStep(step);
      if (given === undefined) {
        throw badRequest('One of code, recoveryCode and passkey is required');
      }
      const client = deps.logins.clientOf(request);
      const attempt = { rule: RATE_LIMITS.mfaByIp, key: request.ip };
      const started = await limitAttempts(rateLimiter, [attempt], () =>
        logInWithSecondStep(deps, { mfaToken, given, client }),
      );
      return deps.logins.respond(reply, started);
    },
  );
}
