import {
  ChangePasswordBody,
  ForgotPasswordBody,
  Message,
  ResetPasswordBody,
  TokenParams,
} from '@atrium/contracts/auth';
import { errorResponses } from '@atrium/contracts/errors';
import { accountOf, type Authenticator } from '@atrium/service-kit/authentication';
import type { RateLimiter } from '@atrium/service-kit/rate-limit';
import type { Server } from '@atrium/service-kit/server';
import { originOf } from '../audit/origin.ts';
import { countGuess, countHash } from '../attempt-limiter.ts';
import { clearSecondSteps } from '../second-factor/clear-guesses.ts';
import { emailKey, RATE_LIMITS } from '../rate-limits.ts';
import { type ChangeDeps, changePassword } from './change.ts';
import { type ForgottenDeps, requestReset, resetPassword } from '../recovery/password-reset.ts';
import type { RevokedSessions } from '../sessions/revoked-sessions.ts';

interface PasswordRoutesDeps extends ForgottenDeps, ChangeDeps {
  authenticator: Authenticator;
  rateLimiter: RateLimiter;
  revokedSessions: Pick<RevokedSessions, 'sync'>;
  wakeEmailSender: () => void;
}

export function passwordRoutes(server: Server, deps: PasswordRoutesDeps): void {
  const { rateLimiter, wakeEmailSender } = deps;

  server.post(
    '/auth/forgot-password',
    {
      schema: {
        summary: 'Ask for a link to reset the password',
        tags: ['passwords'],
        body: ForgotPasswordBody,
        response: { 202: Message, ...errorResponses(422) },
      },
    },
    async (request, reply) => {
      const { email } = request.body;
      await rateLimiter.consume(RATE_LIMITS.forgotByAddress, request.ip);
      await rateLimiter.consume(RATE_LIMITS.forgotByEmail, emailKey(email));
      await requestReset(deps, email, originOf(request));
      wakeEmailSender();
      reply.code(202);
      return { message: 'If the address has an account, a reset link is on its way' };
    },
  );

  server.post(
    '/auth/reset-password/:token',
    {
      schema: {
        summary: 'Set a new password with the token from the mail',
        tags: ['passwords'],
        params: TokenParams,
        body: ResetPasswordBody,
        response: { 200: Message, ...errorResponses(422) },
      },
    },
    async (request) => {
      await rateLimiter.consume(RATE_LIMITS.resetByAddress, request.ip);
      const { password } = request.body;
      const { token } = request.params;
      const { accountId, email } = await resetPassword(
        deps,
        { token, password },
        originOf(request),
      );
      // What was guessed at is gone; the owner, perhaps on a new device, need not wait for it.
      await rateLimiter.forget(RATE_LIMITS.loginByStrangers, emailKey(email));
      await clearSecondSteps(rateLimiter, accountId);
      await deps.revokedSessions.sync();
      wakeEmailSender();
      return { message: 'Password changed, please log in' };
    },
  );

  server.post(
    '/user/change-password',
    {
      onRequest: deps.authenticator.authenticate,
      schema: {
        summary: 'Change the password',
        tags: ['passwords'],
        security: [{ bearer: [] }],
        body: ChangePasswordBody,
        response: { 200: Message, ...errorResponses(401, 422) },
      },
    },
    async (request) => {
      const { id: accountId, sessionId } = accountOf(request);
      const change = { accountId, sessionId, ...request.body };
      const guess = { rule: RATE_LIMITS.confirmPassword, key: sessionId, clears: true };
      await countGuess(rateLimiter, [guess], async () => {
        await countHash(rateLimiter, { accountId, ipAddress: request.ip });
        await changePassword(deps, change, originOf(request));
      });
      await clearSecondSteps(rateLimiter, accountId);
      await deps.revokedSessions.sync();
      wakeEmailSender();
      return { message: 'Password changed' };
    },
  );
}
