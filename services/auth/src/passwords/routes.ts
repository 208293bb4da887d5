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
import { RATE_LIMITS } from '../rate-limits.ts';
import { type ChangeDeps, changePassword } from './change.ts';
import { type ForgottenDeps, requestReset, resetPassword } from './forgotten.ts';

interface PasswordRoutesDeps extends ForgottenDeps, ChangeDeps {
  authenticator: Authenticator;
  rateLimiter: RateLimiter;
  wakeMail: () => void;
}

export function passwordRoutes(server: Server, deps: PasswordRoutesDeps): void {
  const { rateLimiter, wakeMail } = deps;

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
      await rateLimiter.consume(RATE_LIMITS.forgotByEmail, email.toLowerCase());
      await requestReset(deps, email);
      wakeMail();
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
      await resetPassword(deps, { token: request.params.token, password: request.body.password });
      wakeMail();
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
      await rateLimiter.consume(RATE_LIMITS.changePasswordByAccount, accountId);
      await changePassword(deps, { accountId, sessionId, ...request.body });
      wakeMail();
      return { message: 'Password changed' };
    },
  );
}
