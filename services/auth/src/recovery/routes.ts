import {
  ForgotPasswordBody,
  Message,
  ResetPasswordBody,
  TokenParams,
} from '@atrium/contracts/auth/accounts';
import { errorResponses } from '@atrium/contracts/errors';
import type { RateLimiter } from '@atrium/service-kit/rate-limit';
import type { Server } from '@atrium/service-kit/server';
import { clearSecondStepAttempts } from '../attempt-limiter.ts';
import { originOf } from '../audit/origin.ts';
import { emailKey, RATE_LIMITS } from '../rate-limits.ts';
import { type PasswordResetDeps, requestPasswordReset, resetPassword } from './password-reset.ts';
import { revokeSuspiciousAccess } from './suspicious-access.ts';
import { PASSWORD_CODES } from '../passwords/password-rules.ts';

interface RecoveryRoutesDeps extends PasswordResetDeps {
  rateLimiter: RateLimiter;
  /** Other processes learn of revoked sessions within two seconds; this one at once. */
  revokedSessions: { sync(): Promise<void> };
}

const tags = ['Account recovery'];

export function recoveryRoutes(server: Server, deps: RecoveryRoutesDeps): void {
  const { rateLimiter, revokedSessions } = deps;

  server.post(
    '/auth/forgot-password',
    {
      config: { rateLimit: RATE_LIMITS.forgotByIp },
      schema: {
        operationId: 'requestPasswordReset',
        summary: 'Request a link to reset the password',
        tags,
        body: ForgotPasswordBody,
        response: { 202: Message, ...errorResponses(422) },
      },
    },
    async (request, reply) => {
      const { email } = request.body;
      await rateLimiter.consume(RATE_LIMITS.forgotByEmail, emailKey(email));
      await requestPasswordReset(deps, email, originOf(request));
      reply.code(202);
      return { message: 'If the email address has an account, a reset link is on its way' };
    },
  );

  server.post(
    '/auth/reset-password/:token',
    {
      config: { rateLimit: RATE_LIMITS.resetByIp },
      schema: {
        operationId: 'resetPassword',
        summary: 'Set a new password with the token from the email',
        description: 'Ends all sessions, and revokes all applications and personal access tokens.',
        tags,
        params: TokenParams,
        body: ResetPasswordBody,
        response: {
          200: Message,
          ...errorResponses(422, 'email-token-invalid', ...PASSWORD_CODES),
        },
      },
    },
    async (request) => {
      const { password } = request.body;
      const { token } = request.params;
      const owner = await resetPassword(deps, { token, password }, originOf(request));
      // Failures against the old password must not delay the owner, perhaps on a new device.
      await rateLimiter.forget(RATE_LIMITS.loginByUnknownDevice, emailKey(owner.email));
      await clearSecondStepAttempts(rateLimiter, owner.accountId);
      await revokedSessions.sync();
      return { message: 'Password changed, please log in' };
    },
  );

  server.post(
    '/auth/not-me/:token',
    {
      config: { rateLimit: RATE_LIMITS.verifyByIp },
      schema: {
        operationId: 'revokeSuspiciousAccess',
        summary: 'Revoke all access with the token from a security notice',
        description:
          'Ends all sessions, revokes all applications and personal access tokens, and makes the password ' +
          'unusable until the owner sets another one with an emailed link. Removes the second factors, linked ' +
          'login providers and devices added since the event, and restores the former email address if the ' +
          'notice was about a change of it.',
        tags,
        params: TokenParams,
        response: { 200: Message, ...errorResponses(422, 'email-token-invalid') },
      },
    },
    async (request) => {
      await revokeSuspiciousAccess(deps, request.params.token, originOf(request));
      await revokedSessions.sync();
      return {
        message:
          'All sessions have ended, now reset the password: a link is on its way to your email address',
      };
    },
  );
}
