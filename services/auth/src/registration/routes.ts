import { CurrentUser, Message, RegisterBody } from '@atrium/contracts/auth';
import { errorResponses } from '@atrium/contracts/errors';
import { accountOf, type Authenticator } from '@atrium/service-kit/authentication';
import { unauthorized } from '@atrium/service-kit/http-error';
import type { Server } from '@atrium/service-kit/server';
import { originOf } from '../audit/origin.ts';
import { RATE_LIMITS } from '../rate-limits.ts';
import type { ReadCurrentUser } from '../accounts/current-user-store.ts';
import { registerAccount, type RegisterDeps } from './register.ts';

interface AccountRoutesDeps extends RegisterDeps {
  readCurrentUser: ReadCurrentUser;
  authenticator: Authenticator;
  wakeEmailSender: () => void;
}

export function accountRoutes(server: Server, deps: AccountRoutesDeps): void {
  server.post(
    '/auth/register',
    {
      schema: {
        summary: 'Create an account',
        tags: ['accounts'],
        body: RegisterBody,
        response: { 201: Message, ...errorResponses(409, 422) },
      },
    },
    async (request, reply) => {
      await deps.rateLimiter.consume(RATE_LIMITS.registerByAddress, request.ip);
      await registerAccount(deps, request.body, originOf(request));
      deps.wakeEmailSender();
      reply.code(201);
      return { message: 'Account created, check your email to verify the address' };
    },
  );

  server.get(
    '/user/me',
    {
      onRequest: deps.authenticator.authenticate,
      schema: {
        summary: 'The current user',
        tags: ['accounts'],
        security: [{ bearer: [] }],
        response: { 200: CurrentUser, ...errorResponses(401) },
      },
    },
    async (request) => {
      const user = await deps.readCurrentUser(accountOf(request).id);
      if (user === undefined) {
        throw unauthorized('Invalid token');
      }
      return user;
    },
  );
}
