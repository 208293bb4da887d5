import { Message, TokenParams } from '@atrium/contracts/auth';
import { errorResponses } from '@atrium/contracts/errors';
import type { RateLimiter } from '@atrium/service-kit/rate-limit';
import type { Server } from '@atrium/service-kit/server';
import { originOf } from '../audit/origin.ts';
import { RATE_LIMITS } from '../rate-limits.ts';
import { disavow, type NotMeDeps } from './suspicious-access.ts';

interface NotMeRoutesDeps extends NotMeDeps {
  rateLimiter: RateLimiter;
  /** Makes the ended sessions known; others learn of them within two seconds anyway. */
  revokedSessions: { sync(): Promise<void> };
  wakeEmailSender: () => void;
}

export function notMeRoutes(server: Server, deps: NotMeRoutesDeps): void {
  server.post(
    '/auth/not-me/:token',
    {
      schema: {
        summary: 'End all sessions with the token from a security notice',
        description:
          'Removes the second factors and devices that came with the event or after it, and brings ' +
          'the former address back where the notice was about a change of it.',
        tags: ['sessions'],
        params: TokenParams,
        response: { 200: Message, ...errorResponses(422) },
      },
    },
    async (request) => {
      await deps.rateLimiter.consume(RATE_LIMITS.verifyByAddress, request.ip);
      await disavow(deps, request.params.token, originOf(request));
      deps.wakeEmailSender();
      await deps.revokedSessions.sync();
      return {
        message:
          'All sessions have ended, now reset the password: a link is on its way to your address',
      };
    },
  );
}
