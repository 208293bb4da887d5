import { CurrentUser } from '@atrium/contracts/auth';
import { errorResponses } from '@atrium/contracts/errors';
import { UpdateProfileBody } from '@atrium/contracts/profile';
import { accountOf, type Authenticator } from '@atrium/service-kit/authentication';
import { unauthorized } from '@atrium/service-kit/http-error';
import type { RateLimiter } from '@atrium/service-kit/rate-limit';
import type { Server } from '@atrium/service-kit/server';
import type { ReadCurrentUser } from '../current-user-store.ts';
import { originOf } from '../../audit/origin.ts';
import { RATE_LIMITS } from '../../rate-limits.ts';
import { changeProfile, type ProfileDeps } from './change.ts';

interface ProfileRoutesDeps extends ProfileDeps {
  readCurrentUser: ReadCurrentUser;
  authenticator: Authenticator;
  rateLimiter: RateLimiter;
}

export function profileRoutes(server: Server, deps: ProfileRoutesDeps): void {
  server.patch(
    '/user/me',
    {
      onRequest: deps.authenticator.authenticate,
      schema: {
        summary: 'Change the profile',
        description: 'Fields that are left out stay as they are; other fields have no effect.',
        tags: ['accounts'],
        security: [{ bearer: [] }],
        body: UpdateProfileBody,
        response: { 200: CurrentUser, ...errorResponses(401, 409, 422) },
      },
    },
    async (request) => {
      const { id: accountId, sessionId } = accountOf(request);
      await deps.rateLimiter.consume(RATE_LIMITS.profileByAccount, accountId);
      const who = { accountId, sessionId };
      await changeProfile(deps, who, request.body, originOf(request));
      const user = await deps.readCurrentUser(accountId);
      if (user === undefined) {
        throw unauthorized('Invalid token');
      }
      return user;
    },
  );
}
