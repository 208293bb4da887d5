import { ChangePasswordBody, Message } from '@atrium/contracts/auth/accounts';
import { errorResponses } from '@atrium/contracts/errors';
import type { Authenticator } from '@atrium/service-kit/authentication';
import type { RateLimiter } from '@atrium/service-kit/rate-limit';
import type { Server } from '@atrium/service-kit/server';
import { requesterOf } from '../accounts/requester.ts';
import { clearSecondStepAttempts } from '../attempt-limiter.ts';
import { RATE_LIMITS } from '../rate-limits.ts';
import { changePassword, type ChangePasswordDeps } from './change.ts';
import { PASSWORD_CODES } from './password-rules.ts';

interface PasswordRoutesDeps extends ChangePasswordDeps {
  authenticator: Authenticator;
  rateLimiter: RateLimiter;
  revokedSessions: { sync(): Promise<void> };
}

export function passwordRoutes(server: Server, deps: PasswordRoutesDeps): void {
  const { rateLimiter } = deps;

  server.post(
    '/user/change-password',
    {
      onRequest: deps.authenticator.authenticate,
      schema: {
        operationId: 'changePassword',
        summary: 'Change the password',
        description:
          'Ends the other sessions, and logs out devices. Applications with offline_access and personal access ' +
          'tokens keep what they may do.',
        tags: ['Passwords'],
        security: [{ bearer: [] }],
        body: ChangePasswordBody,
        response: {
          200: Message,
          ...errorResponses(401, 422, 'password-wrong', ...PASSWORD_CODES),
        },
      },
    },
    async (request) => {
      const requester = requesterOf(request);
      await changePassword(deps, requester, request.body);
      await rateLimiter.forget(RATE_LIMITS.confirmPassword, requester.sessionId);
      await clearSecondStepAttempts(rateLimiter, requester.accountId);
      await deps.revokedSessions.sync();
      return { message: 'Password changed' };
    },
  );
}
