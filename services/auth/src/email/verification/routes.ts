import { LinkPasswordBody, Message, TokenParams } from '@atrium/contracts/auth/accounts';
import { errorResponses } from '@atrium/contracts/errors';
import type { Authenticator } from '@atrium/service-kit/authentication';
import type { Server } from '@atrium/service-kit/server';
import { requesterOf } from '../../accounts/requester.ts';
import { RATE_LIMITS } from '../../rate-limits.ts';
import { authenticateIfGiven, LINK_CODES, linkCredentialsOf } from '../link-owner/requester.ts';
import { resendVerification, type VerificationDeps, verifyEmail } from './verification.ts';

interface EmailVerificationRoutesDeps extends VerificationDeps {
  authenticator: Authenticator;
}

export function emailVerificationRoutes(server: Server, deps: EmailVerificationRoutesDeps): void {
  server.post(
    '/auth/verify-email/:token',
    {
      config: { rateLimit: RATE_LIMITS.verifyByIp, isBodyOptional: true },
      onRequest: authenticateIfGiven(deps.authenticator),
      schema: {
        operationId: 'verifyEmail',
        summary: 'Verify the email address with the token from the email',
        description:
          'Needs an access token of the account or its password. Without either the answer is 403, and a ' +
          'link to set a new password is sent to the email address, which setting it verifies. Access ' +
          'tokens say so from the next refresh on.',
        tags: ['Email verification'],
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
      await verifyEmail(deps, token, linkCredentialsOf(request, request.body));
      return { message: 'Email address verified' };
    },
  );

  server.post(
    '/auth/verify-email',
    {
      config: { rateLimit: RATE_LIMITS.resendByAccount },
      onRequest: deps.authenticator.authenticate,
      schema: {
        operationId: 'resendVerificationEmail',
        summary: 'Send the verification email again',
        tags: ['Email verification'],
        security: [{ bearer: [] }],
        response: { 200: Message, ...errorResponses(401) },
      },
    },
    async (request) => {
      const outcome = await resendVerification(deps, requesterOf(request));
      return {
        message:
          outcome === 'sent'
            ? 'Verification mail is on its way'
            : 'Email address is verified already',
      };
    },
  );
}
