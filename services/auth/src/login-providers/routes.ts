import { LoginResponse } from '@atrium/contracts/auth/accounts';
import {
  LoginProviders,
  ProviderLocation,
  ProviderLogin,
  ProviderParams,
  ProviderSignUpBody,
  StartProviderLoginBody,
} from '@atrium/contracts/auth/login-providers';
import { errorResponses } from '@atrium/contracts/errors';
import type { KeyRing } from '@atrium/service-kit/key-ring';
import type { Logger } from '@atrium/service-kit/logger';
import type { Server } from '@atrium/service-kit/server';
import type { onRequestHookHandler } from 'fastify';
import Type from 'typebox';
import type { Emails } from '../email/outbox/store.ts';
import type { LoginProvider } from '../login-providers-config.ts';
import { RATE_LIMITS } from '../rate-limits.ts';
import { preferredLanguage } from '@atrium/service-kit/accept-language';
import { createIdentityChangeRecorder } from './identity-change.ts';
import { createFlowCookie } from './flow-store.ts';
import { identityRoutes, type IdentityRoutesDeps } from './identity-routes.ts';
import { completeProviderLogin, type ProviderLoginDeps, signUpWithProvider } from './logins.ts';
import { createProviders } from './providers.ts';

interface ProviderRoutesDeps extends Omit<
  ProviderLoginDeps & IdentityRoutesDeps,
  'providers' | 'flows' | 'recordChange'
> {
  configured: readonly LoginProvider[];
  emails: Emails;
  keyRing: KeyRing;
  authUrl: string;
  webUrl: string;
  logger: Logger;
  refuseForeignOrigin: onRequestHookHandler;
}

const tags = ['Login with others'];

/**
 * Logging in with an account elsewhere. The browser goes to the provider and comes back to the callback, which
 * only finds out who it is; the page `/login/provider` then asks for the login. Until then nothing is stored.
 */
export async function loginProviderRoutes(
  server: Server,
  options: ProviderRoutesDeps,
): Promise<void> {
  const providers = createProviders(options.configured, options.authUrl, options.logger);
  const flows = createFlowCookie(options.keyRing, options.clockMs);
  const recordChange = createIdentityChangeRecorder(options);
  const deps = { ...options, providers, flows, recordChange };
  await server.register(identityRoutes, deps);
  const { logins, logger } = deps;
  const page = `${deps.webUrl.replace(/\/$/, '')}/login/provider`;
  const config = { rateLimit: RATE_LIMITS.authorizeByIp };
  const onRequest = deps.refuseForeignOrigin;

  server.get(
    '/auth/providers',
    {
      schema: {
        operationId: 'listLoginProviders',
        summary: 'List the login providers',
        tags,
        response: { 200: LoginProviders, ...errorResponses(422) },
      },
    },
    async () => ({ data: providers.list() }),
  );

  server.post(
    '/auth/providers/:id/start',
    {
      config,
      onRequest,
      schema: {
        operationId: 'startProviderLogin',
        summary: 'Begin to log in with a provider',
        tags,
        params: ProviderParams,
        body: StartProviderLoginBody,
        response: { 200: ProviderLocation, ...errorResponses(404, 422, 503, 'origin-not-allowed') },
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      const { returnTo } = request.body;
      const { url, checks } = await providers.begin(id);
      flows.write(reply, { provider: id, checks, ...(returnTo !== undefined && { returnTo }) });
      reply.header('cache-control', 'no-store');
      return { location: url.href };
    },
  );

  server.get(
    '/auth/providers/:id/callback',
    { config, schema: { hide: true, params: ProviderParams, response: { 303: Type.Null() } } },
    async (request, reply) => {
      const { id } = request.params;
      const flow = flows.read(request);
      const goOn = (fault?: string) => {
        const query = new URLSearchParams({
          ...(flow?.returnTo !== undefined && { return_to: flow.returnTo }),
          ...(fault !== undefined && { error: fault }),
        });
        reply.header('cache-control', 'no-store');
        return reply.redirect(query.size === 0 ? page : `${page}?${query.toString()}`, 303);
      };
      if (flow?.checks === undefined || flow.provider !== id) return goOn('expired');
      const { checks, ...rest } = flow;
      // A provider's answer is used once, whatever it says.
      flows.clear(reply);
      const answer = new URL(request.url, deps.authUrl);
      if (answer.searchParams.get('error') === 'access_denied') return goOn('denied');
      if (answer.searchParams.get('state') !== checks.state) return goOn('expired');
      try {
        flows.write(reply, { ...rest, person: await providers.finish(id, answer, checks) });
      } catch (error) {
        logger.warn({ err: error, provider: id }, 'login with a provider failed');
        return goOn('failed');
      }
      return goOn();
    },
  );

  server.post(
    '/auth/providers/complete',
    {
      config,
      onRequest,
      schema: {
        operationId: 'completeProviderLogin',
        summary: 'Log in as the person that the provider has named, or say what is missing',
        description: 'Send it with credentials: it needs the cookie of the browser.',
        tags,
        response: {
          200: ProviderLogin,
          ...errorResponses(
            'origin-not-allowed',
            'provider-login-expired',
            'provider-email-unverified',
            'provider-account-exists',
            'identity-taken',
            'account-suspended',
          ),
        },
      },
    },
    async (request, reply) => {
      const flow = flows.read(request);
      const client = logins.clientOf(request);
      const outcome = await completeProviderLogin(deps, flow, client);
      if ('sessionId' in outcome) {
        flows.clear(reply);
        return logins.respond(reply, outcome);
      }
      if (!('signUp' in outcome)) flows.clear(reply);
      reply.header('cache-control', 'no-store');
      return outcome;
    },
  );

  server.post(
    '/auth/providers/sign-up',
    {
      config,
      onRequest,
      schema: {
        operationId: 'signUpWithProvider',
        summary: 'Create an account for the person that the provider has named, and log in',
        tags,
        body: ProviderSignUpBody,
        response: {
          200: LoginResponse,
          ...errorResponses(
            422,
            'origin-not-allowed',
            'provider-login-expired',
            'provider-email-unverified',
            'provider-account-exists',
            'identity-taken',
            'account-suspended',
            'username-taken',
          ),
        },
      },
    },
    async (request, reply) => {
      const started = await signUpWithProvider(deps, {
        flow: flows.read(request),
        body: request.body,
        client: logins.clientOf(request),
        language: preferredLanguage(request.headers['accept-language']),
      });
      flows.clear(reply);
      return logins.respond(reply, started);
    },
  );
}
