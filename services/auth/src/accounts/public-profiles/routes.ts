import { USERS_MAX, UsersQuery, UsersResponse } from '@atrium/contracts/auth/accounts';
import { errorResponses } from '@atrium/contracts/errors';
import type { Authenticator } from '@atrium/service-kit/authentication';
import { validationError } from '@atrium/service-kit/http-error';
import type { Server } from '@atrium/service-kit/server';
import type { Database } from '../../database.ts';
import { avatarUrl } from '../avatar/store.ts';

export function publicProfileRoutes(
  server: Server,
  deps: { database: Database; authenticator: Authenticator; authUrl: string },
): void {
  server.get(
    '/users',
    {
      onRequest: deps.authenticator.authenticate,
      schema: {
        operationId: 'getUsers',
        summary: 'Get the public profiles of accounts',
        description: 'In no particular order; ids without an account are left out.',
        tags: ['Accounts'],
        security: [{ bearer: [] }],
        querystring: UsersQuery,
        response: { 200: UsersResponse, ...errorResponses(401, 422) },
      },
    },
    async (request) => {
      const ids = new Set(request.query.ids.split(','));
      if (ids.size > USERS_MAX) throw validationError(`ids must name at most ${USERS_MAX} users`);
      const users = await deps.database.prisma.account.findMany({
        where: { id: { in: [...ids] } },
        select: { id: true, name: true, username: true, avatar: true },
      });
      const { authUrl } = deps;
      return {
        data: users.map((user) => ({ ...user, avatar: avatarUrl(user.avatar, authUrl) })),
      };
    },
  );
}
