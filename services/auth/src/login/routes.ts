import { LoginBody } from '@atrium/contracts/auth/accounts';
import { errorResponses } from '@atrium/contracts/errors';
import { PasswordLoginResponse } from '@atrium/contracts/auth/mfa';
import type { RateLimiter } from '@atrium/service-kit/rate-limit';
import type { Server } from '@atrium/service-kit/server';
import { limitLogins } from './attempts.ts';
import { logInWithPassword, type PasswordLoginDeps } from './password-login.ts';

interface LoginRoutesDeps extends PasswordLoginDeps {
  rateLimiter: RateLimiter;
}

export function loginRoutes(server: Server, deps: LoginRoutesDeps): void {
  server.post(
    '/auth/login',
    {
      schema: {
        operationId: 'logIn',
        summary: 'Log in with a password',
        tags: ['Login'],
        body: LoginBody,
        response: {
          200: PasswordLoginResponse,
          ...errorResponses(422, 'credentials-wrong', 'account-suspended'),
        },
      },
    },
    async (request, reply) => {
      const { email, password } = request.body;
      const client = deps.logins.clientOf(request);
      const login = await limitLogins(deps, { email, client }, (found) =>
        logInWithPassword(deps, { found, password, client }),
      );
      if ('mfaRequired' in login) {
        reply.header('cache-control', 'no-store');
        return login;
      }
      return deps.logins.respond(reply, login);
    },
  );
}
