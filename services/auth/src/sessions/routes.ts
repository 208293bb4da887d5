import { LoginBody, RefreshResponse } from '@atrium/contracts/auth';
import { errorResponses } from '@atrium/contracts/errors';
import { PasswordLoginResponse } from '@atrium/contracts/mfa';
import { tooManyRequests, unauthorized } from '@atrium/service-kit/http-error';
import type { RateLimiter } from '@atrium/service-kit/rate-limit';
import type { Server } from '@atrium/service-kit/server';
import type { onRequestHookHandler } from 'fastify';
import Type from 'typebox';
import { originOf } from '../audit/origin.ts';
import {
  clearRefreshCookie,
  readDeviceCookie,
  readRefreshCookie,
  setRefreshCookie,
  setSessionCookies,
} from './cookies.ts';
import { recogniseDevice } from './device.ts';
import { logIn, type LoginDeps } from '../login/password-login.ts';
import { throttleLogin } from '../login/attempts.ts';
import { refresh, type RefreshDeps } from './refresh.ts';
import { isRefreshToken } from './refresh-token.ts';
import { sessionAnswer, type SessionAnswerDeps } from './session-response.ts';
import { revokeSessions } from './store.ts';

/** For a client that refreshes all the time: the hour in which it did so passes minute by minute. */
const THROTTLED_SECONDS = 60;

interface SessionRoutesDeps extends LoginDeps, RefreshDeps, SessionAnswerDeps {
  rateLimiter: RateLimiter;
  refuseForeignOrigin: onRequestHookHandler;
}

export function sessionRoutes(server: Server, deps: SessionRoutesDeps): void {
  const { database, keyRing, clockMs, issueAccessToken } = deps;

  server.post(
    '/auth/login',
    {
      schema: {
        summary: 'Log in',
        tags: ['sessions'],
        body: LoginBody,
        response: { 200: PasswordLoginResponse, ...errorResponses(401, 422) },
      },
    },
    async (request, reply) => {
      const { email, password } = request.body;
      const cookie = readDeviceCookie(request);
      const device = recogniseDevice(keyRing, { cookie, userAgent: request.headers['user-agent'] });
      const ipAddress = request.ip;
      const replaced = readRefreshCookie(request);
      const replacedToken = isRefreshToken(replaced) ? replaced : undefined;
      const login = await throttleLogin(
        deps,
        {
          email,
          address: ipAddress,
          fingerprint: device.fingerprint,
          hasDeviceCookie: cookie !== undefined,
        },
        (found) =>
          logIn(deps, {
            found,
            password,
            device,
            ipAddress,
            requestId: request.id,
            replacedToken,
          }),
      );
      if ('mfaRequired' in login) {
        reply.header('cache-control', 'no-store');
        return login;
      }
      setSessionCookies(reply, login);
      return sessionAnswer(deps, login);
    },
  );

  server.post(
    '/auth/refresh',
    {
      onRequest: deps.refuseForeignOrigin,
      schema: {
        summary: 'Exchange the refresh cookie for an access token',
        tags: ['sessions'],
        security: [{ refreshToken: [] }],
        response: { 200: RefreshResponse, ...errorResponses(401, 403) },
      },
    },
    async (request, reply) => {
      const token = readRefreshCookie(request);
      const nowMs = clockMs();
      const outcome = isRefreshToken(token)
        ? await refresh(deps, { token, ipAddress: request.ip, nowMs })
        : ({ kind: 'refused' } as const);
      reply.header('cache-control', 'no-store');
      if (outcome.kind === 'throttled') {
        throw tooManyRequests('Too many requests, please try again later', THROTTLED_SECONDS);
      }
      if (outcome.kind !== 'refreshed') {
        if (outcome.kind === 'replayed') {
          const { accountId, sessionId } = outcome;
          await deps.revokedSessions.sync();
          await deps.recordAudit(database, {
            kind: 'refresh.reused',
            accountId,
            sessionId,
            origin: originOf(request),
            nowMs,
          });
        }
        clearRefreshCookie(reply);
        throw unauthorized('Session has ended, please log in again');
      }
      setRefreshCookie(reply, outcome.refreshToken);
      return { accessToken: issueAccessToken(outcome.subject, nowMs) };
    },
  );

  server.post(
    '/auth/logout',
    {
      onRequest: deps.refuseForeignOrigin,
      schema: {
        summary: 'End the session of the refresh cookie',
        tags: ['sessions'],
        // Without the cookie there is nothing to end, which is fine.
        security: [{ refreshToken: [] }, {}],
        response: { 204: Type.Null(), ...errorResponses(403) },
      },
    },
    async (request, reply) => {
      const token = readRefreshCookie(request);
      if (isRefreshToken(token)) {
        const nowMs = clockMs();
        const [ended] = await revokeSessions(database, { refreshToken: token }, nowMs);
        await deps.revokedSessions.sync();
        if (ended !== undefined) {
          const origin = originOf(request);
          await deps.recordAudit(database, { kind: 'logout', ...ended, origin, nowMs });
        }
      }
      clearRefreshCookie(reply);
      return reply.code(204).send(null);
    },
  );
}
