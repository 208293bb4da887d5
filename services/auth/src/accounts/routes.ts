import { CurrentUser, Message, ProfileLink, RegisterBody } from '@atrium/contracts/auth';
import { errorResponses } from '@atrium/contracts/errors';
import { accountOf, type Authenticator } from '@atrium/service-kit/authentication';
import { unauthorized } from '@atrium/service-kit/http-error';
import type { Server } from '@atrium/service-kit/server';
import Type from 'typebox';
import Value from 'typebox/value';
import type { PrismaClient } from '../generated/client.ts';
import { RATE_LIMITS } from '../rate-limits.ts';
import { registerAccount, type RegisterDeps } from './register.ts';
import { findCurrentAccount } from './store.ts';

const ProfileLinks = Type.Array(ProfileLink);

interface AccountRoutesDeps extends RegisterDeps {
  prisma: PrismaClient;
  authenticator: Authenticator;
  wakeMail: () => void;
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
      await registerAccount(deps, request.body);
      deps.wakeMail();
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
      const { id: accountId, sessionId } = accountOf(request);
      const account = await findCurrentAccount(deps.prisma, { accountId, sessionId });
      if (account === null) {
        throw unauthorized('Invalid token');
      }
      const { emailVerifiedAt, createdAt, profileLinks, ...fields } = account;
      return {
        ...fields,
        profileLinks: Value.Parse(ProfileLinks, profileLinks),
        emailVerified: emailVerifiedAt !== null,
        createdAt: createdAt.toISOString(),
      };
    },
  );
}
