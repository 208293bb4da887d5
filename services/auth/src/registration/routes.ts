import { Message, RegisterBody } from '@atrium/contracts/auth/accounts';
import { errorResponses } from '@atrium/contracts/errors';
import type { Server } from '@atrium/service-kit/server';
import { originOf } from '../audit/origin.ts';
import { RATE_LIMITS } from '../rate-limits.ts';
import { preferredLanguage } from '@atrium/service-kit/accept-language';
import { registerAccount, type RegisterDeps } from './register.ts';
import { PASSWORD_CODES } from '../passwords/password-rules.ts';

export function registrationRoutes(server: Server, deps: RegisterDeps): void {
  server.post(
    '/auth/register',
    {
      config: { rateLimit: RATE_LIMITS.registerByIp },
      schema: {
        operationId: 'registerAccount',
        summary: 'Create an account',
        tags: ['Accounts'],
        body: RegisterBody,
        response: { 201: Message, ...errorResponses(422, 'username-taken', ...PASSWORD_CODES) },
      },
    },
    async (request, reply) => {
      const { body, headers } = request;
      const language = preferredLanguage(headers['accept-language']);
      await registerAccount(deps, { body, language }, originOf(request));
      reply.code(201);
      return { message: 'Account created, check your inbox to verify your email address' };
    },
  );
}
