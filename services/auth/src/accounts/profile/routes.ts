import { CurrentUser } from '@atrium/contracts/auth/accounts';
import { errorResponses } from '@atrium/contracts/errors';
import { UpdateProfileBody } from '@atrium/contracts/auth/profile';
import { accountOf, type Authenticator } from '@atrium/service-kit/authentication';
import { HttpError } from '@atrium/service-kit/http-error';
import type { Server } from '@atrium/service-kit/server';
import { RATE_LIMITS } from '../../rate-limits.ts';
import { requesterOf } from '../requester.ts';
import { changeProfile, type ProfileDeps } from './change.ts';
import type { ReadCurrentUser } from './current-user.ts';

interface ProfileRoutesDeps extends ProfileDeps {
  readCurrentUser: ReadCurrentUser;
  authenticator: Authenticator;
}

const tags = ['Accounts'];
const security = [{ bearer: [] }];

export function profileRoutes(server: Server, deps: ProfileRoutesDeps): void {
  const { authenticate: onRequest } = deps.authenticator;

  server.get(
    '/user/me',
    {
      config: { scope: 'account:read' },
      onRequest,
      schema: {
        operationId: 'getCurrentUser',
        summary: 'Get the current user',
        tags,
        security: [{ bearer: ['account:read'] }],
        response: { 200: CurrentUser, ...errorResponses(401) },
      },
    },
    (request) => currentUser(accountOf(request).id),
  );

  server.patch(
    '/user/me',
    {
      config: { rateLimit: RATE_LIMITS.profileByAccount },
      onRequest,
      schema: {
        operationId: 'updateCurrentUser',
        summary: 'Change the profile',
        description: 'Fields that are left out stay as they are.',
        tags,
        security,
        body: UpdateProfileBody,
        response: {
          200: CurrentUser,
          ...errorResponses(401, 422, 'username-taken', 'url-not-allowed'),
        },
      },
    },
    async (request) => {
      const requester = requesterOf(request);
      await changeProfile(deps, requester, request.body);
      return currentUser(requester.accountId);
    },
  );

  async function currentUser(accountId: string): Promise<CurrentUser> {
    const user = await deps.readCurrentUser(accountId);
    if (user === undefined) {
      throw new HttpError('token-invalid');
    }
    return user;
  }
}
