import {
  AuthorizationAnswer,
  AuthorizationRequest,
  UidParams,
} from '@atrium/contracts/auth/authorization';
import { errorResponses } from '@atrium/contracts/errors';
import { accountOf, type Authenticator } from '@atrium/service-kit/authentication';
import { HttpError } from '@atrium/service-kit/http-error';
import { requireAccessToken } from '@atrium/service-kit/protected-routes';
import type { Server } from '@atrium/service-kit/server';
import { requesterOf } from '../../accounts/requester.ts';
import type { AuditLog } from '../../audit/record.ts';
import type { Database } from '../../database.ts';
import { readRefreshToken } from '../../sessions/client.ts';
import { recordConsent } from '../grants/store.ts';
import { PATHS } from '../provider/constants.ts';
import type { OauthProvider } from '../provider/provider.ts';
import { needsSecondFactor } from '../provider/policy.ts';
import { checkLogin, findWaiting, loginOf, newScopes, personOf } from './interaction.ts';
import { findApplicationProfile, findLogin } from './store.ts';

interface InteractionRoutesDeps {
  database: Database;
  authenticator: Authenticator;
  provider: OauthProvider;
  audit: AuditLog;
  authUrl: string;
  clockMs: () => number;
}

const tags = ['Logging in to applications'];
/** Below the address that the cookie of the request is for. */
const PATH = `${PATHS.authorization}/:uid`;
const PROMPTS = ['login', 'consent', 'select_account'] as const;

/** How the page `/authorize/{uid}` shows a request and answers it. */
export async function interactionRoutes(
  server: Server,
  deps: InteractionRoutesDeps,
): Promise<void> {
  const { database, authUrl, clockMs } = deps;

  server.get(
    `${PATH}/request`,
    {
      schema: {
        operationId: 'getAuthorizationRequest',
        summary: 'Show which application asks for what',
        description: 'Send it with credentials: it needs the cookies of the browser.',
        tags,
        security: [{}],
        params: UidParams,
        response: { 200: AuthorizationRequest, ...errorResponses('authorization-expired') },
      },
    },
    async (request, reply) => {
      const waiting = await findWaiting(deps, request, reply);
      const { params, scopes } = waiting;
      const [application, person] = await Promise.all([
        findApplicationProfile(database, waiting.applicationId, authUrl),
        personOf(deps, readRefreshToken(request)),
      ]);
      if (application === undefined) throw new HttpError('authorization-expired');
      const nowMs = clockMs();
      const suffices = person !== undefined && checkLogin(waiting, person, nowMs) === undefined;
      const account = suffices
        ? await findLogin(database, { sessionId: person.sessionId, nowMs })
        : undefined;
      const prompt = suffices ? PROMPTS.find((name) => name === waiting.prompt) : 'login';
      const redirect = new URL(String(params['redirect_uri']));
      reply.header('cache-control', 'no-store');
      return {
        application,
        host: redirect.host || redirect.protocol.slice(0, -1),
        prompt: prompt ?? 'consent',
        scopes,
        newScopes: await newScopes(database, waiting, person),
        needsSecondFactor: needsSecondFactor(params),
        loginHint: typeof params['login_hint'] === 'string' ? params['login_hint'] : null,
        account: account ?? null,
        expiresAt: new Date(waiting.expMs).toISOString(),
      };
    },
  );

  server.post(
    `${PATH}/deny`,
    {
      schema: {
        operationId: 'denyAuthorization',
        summary: 'Go back to the application without logging in',
        tags,
        params: UidParams,
        security: [{}],
        response: { 200: AuthorizationAnswer, ...errorResponses('authorization-expired') },
      },
    },
    async (request, reply) => {
      const waiting = await findWaiting(deps, request, reply);
      reply.header('cache-control', 'no-store');
      const error = { error: 'access_denied', error_description: 'The person said no' };
      return { location: await waiting.finish(error) };
    },
  );

  await server.register(async (answers: Server) => {
    requireAccessToken(answers, deps.authenticator);

    answers.post(
      `${PATH}/allow`,
      {
        schema: {
          operationId: 'allowAuthorization',
          summary: 'Log in to the application, and allow what it asks for',
          tags,
          params: UidParams,
          response: {
            200: AuthorizationAnswer,
            ...errorResponses(401, 'authorization-expired', 'login-again', 'login-stronger'),
          },
        },
      },
      async (request, reply) => {
        const requester = requesterOf(request);
        const { accountId } = requester;
        const waiting = await findWaiting(deps, request, reply);
        const { applicationId, scopes } = waiting;
        const person = await personOf(deps, readRefreshToken(request));
        // The page must show who the browser is logged in as: that is who the application will see.
        if (person?.sessionId !== accountOf(request).sessionId) throw new HttpError('login-again');
        const nowMs = clockMs();
        const fault = checkLogin(waiting, person, nowMs);
        if (fault !== undefined) throw new HttpError(fault);
        const profile = await findApplicationProfile(database, applicationId, authUrl);
        if (profile === undefined) throw new HttpError('authorization-expired');
        const asked = await newScopes(database, waiting, person);
        await database.transaction(requester.origin, async (tx) => {
          await recordConsent(tx, { accountId, applicationId, scopes, nowMs });
          if (asked.length === 0) return;
          const data = { name: profile.name, scopes: scopes.join(' ') };
          await deps.audit.record(tx, { kind: 'application.allowed', ...requester, data });
        });
        const login = loginOf(person);
        reply.header('cache-control', 'no-store');
        return { location: await waiting.finish({ login, consent: {}, select_account: {} }) };
      },
    );
  });
}
