import { LoginBody } from '@atrium/contracts/auth';
import { errorResponses } from '@atrium/contracts/errors';
import { PasswordLoginResponse } from '@atrium/contracts/mfa';
import type { KeyRing } from '@atrium/service-kit/key-ring';
import type { RateLimiter } from '@atrium/service-kit/rate-limit';
import type { Server } from '@atrium/service-kit/server';
import { clientOf } from '../sessions/client.ts';
import { respondWithSession, type SessionResponseDeps } from '../sessions/response.ts';
import { limitLogins } from './attempts.ts';
import { logInWithPassword, type PasswordLoginDeps } from './password-login.ts';

interface LoginRoutesDeps extends PasswordLoginDeps, SessionResponseDeps {
  keyRing: KeyRing;
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
        response: { 200: PasswordLoginResponse, ...errorResponses(401, 403, 422) },
      },
    },
    async (request, reply) => {
      const { email, password } = request.body;
      const client = clientOf(deps.keyRing, request);
      const login = await limitLogins(deps, { email, client }, (found) =>
        logInWithPassword(deps, { found, password, client }),
      );
      if ('mfaRequired' in login) {
        reply.header('cache-control', 'no-store');
        return login;
      }
      return respondWithSession(deps, reply, login);
    },
  );
}
