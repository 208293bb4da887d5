import { ChangeEmailBody } from '@atrium/contracts/auth/profile';
import { LinkPasswordBody, Message, TokenParams } from '@atrium/contracts/auth/accounts';
import { errorResponses } from '@atrium/contracts/errors';
import type { Authenticator } from '@atrium/service-kit/authentication';
import type { Server } from '@atrium/service-kit/server';
import { requesterOf } from '../../accounts/requester.ts';
import { PROOF_CODES } from '../../second-factor/changes.ts';
import { RATE_LIMITS } from '../../rate-limits.ts';
import { authenticateIfGiven, LINK_CODES, linkCredentialsOf } from '../link-owner/requester.ts';
import { confirmEmailChange, type EmailChangeDeps, requestEmailChange } from './change.ts';

interface EmailChangeRoutesDeps extends EmailChangeDeps {
  authenticator: Authenticator;
}

export function emailChangeRoutes(server: Server, deps: EmailChangeRoutesDeps): void {
  server.post(
    '/user/change-email',
    {
      config: { rateLimit: RATE_LIMITS.changeEmailByAccount },
      onRequest: deps.authenticator.authenticate,
      schema: {
        operationId: 'requestEmailChange',
        summary: 'Request a change of the email address',
        description:
          'The email address changes once the link that was mailed to the new one is opened.',
        tags: ['Email change'],
        security: [{ bearer: [] }],
        body: ChangeEmailBody,
        response: {
          202: Message,
          ...errorResponses(401, 422, ...PROOF_CODES, 'email-unchanged'),
        },
      },
    },
    async (request, reply) => {
      const requester = requesterOf(request);
      await requestEmailChange(deps, requester, request.body);
      reply.code(202);
      return { message: 'Check the new email address for a link to confirm it' };
    },
  );

  server.post(
    '/auth/confirm-email/:token',
    {
      config: { rateLimit: RATE_LIMITS.verifyByIp, isBodyOptional: true },
      onRequest: authenticateIfGiven(deps.authenticator),
      schema: {
        operationId: 'confirmEmailChange',
        summary: 'Change the email address with the token from the email',
        description: 'Needs an access token of the account or its password.',
        tags: ['Email change'],
        security: [{ bearer: [] }, {}],
        params: TokenParams,
        body: LinkPasswordBody,
        response: {
          200: Message,
          ...errorResponses(401, 422, ...LINK_CODES),
        },
      },
    },
    async (request) => {
      const { token } = request.params;
      await confirmEmailChange(deps, token, linkCredentialsOf(request, request.body));
      return { message: 'Email address changed' };
    },
  );
}
