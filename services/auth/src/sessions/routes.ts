import { LoginBody, LoginResponse, RefreshResponse } from '@atrium/contracts/auth';
import { errorResponses } from '@atrium/contracts/errors';
import { unauthorized } from '@atrium/service-kit/http-error';
import type { RateLimiter } from '@atrium/service-kit/rate-limit';
import type { Server } from '@atrium/service-kit/server';
import type { onRequestHookHandler } from 'fastify';
import Type from 'typebox';
import type { IssueAccessToken } from '../keys/access-token.ts';
import { RATE_LIMITS } from '../rate-limits.ts';
import type { KeyRing } from '@atrium/service-kit/key-ring';
import {
  clearRefreshCookie,
  readDeviceCookie,
  readRefreshCookie,
  setDeviceCookie,
  setRefreshCookie,
} from './cookies.ts';
import { recogniseDevice } from './device.ts';
import { logIn, type LoginDeps } from './login.ts';
import { refresh } from './refresh.ts';
import { isRefreshToken } from './refresh-token.ts';
import { revokeSessionOfToken } from './store.ts';

interface SessionRoutesDeps extends LoginDeps {
  keyRing: KeyRing;
  rateLimiter: RateLimiter;
  issueAccessToken: IssueAccessToken;
  refuseForeignOrigin: onRequestHookHandler;
  wakeMail: () => void;
  wakeRelay: () => void;
}

export function sessionRoutes(server: Server, deps: SessionRoutesDeps): void {
  const { database, keyRing, clockMs, issueAccessToken, rateLimiter } = deps;

  server.post(
    '/auth/login',
    {
      schema: {
        summary: 'Log in',
        tags: ['sessions'],
        body: LoginBody,
        response: { 200: LoginResponse, ...errorResponses(401, 422) },
      },
    },
    async (request, reply) => {
      const { email, password } = request.body;
      await rateLimiter.consume(RATE_LIMITS.loginByAddress, request.ip);
      await rateLimiter.consume(RATE_LIMITS.loginByEmail, email.toLowerCase());
      const cookie = readDeviceCookie(request);
      const device = recogniseDevice(keyRing, { cookie, userAgent: request.headers['user-agent'] });
      const login = await logIn(deps, {
        email,
        password,
        device,
        ipAddress: request.ip,
        requestId: request.id,
      });
      if (login.isSuspicious) {
        deps.wakeRelay();
        deps.wakeMail();
      }
      setRefreshCookie(reply, login.refreshToken);
      setDeviceCookie(reply, device.cookie);
      reply.header('cache-control', 'no-store');
      const { id, name, username, email: address, avatar, createdAt, ...account } = login.account;
      const { plan, emailVerified } = account;
      const { sessionId, nowMs } = login;
      return {
        accessToken: issueAccessToken({ accountId: id, sessionId, plan, emailVerified }, nowMs),
        user: { id, name, username, email: address, avatar, createdAt: createdAt.toISOString() },
      };
    },
  );

  server.post(
    '/auth/refresh',
    {
      onRequest: deps.refuseForeignOrigin,
      schema: {
        summary: 'Exchange the refresh cookie for an access token',
        tags: ['sessions'],
        response: { 200: RefreshResponse, ...errorResponses(401, 403) },
      },
    },
    async (request, reply) => {
      const token = readRefreshCookie(request);
      const nowMs = clockMs();
      const outcome = isRefreshToken(token)
        ? await refresh({ database, keyRing }, token, nowMs)
        : ({ kind: 'refused' } as const);
      reply.header('cache-control', 'no-store');
      if (outcome.kind !== 'refreshed') {
        if (outcome.kind === 'replayed') {
          request.log.warn({ sessionId: outcome.sessionId }, 'refresh token replayed');
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
        response: { 204: Type.Null(), ...errorResponses(403) },
      },
    },
    async (request, reply) => {
      const token = readRefreshCookie(request);
      if (isRefreshToken(token)) {
        await revokeSessionOfToken(database, token, clockMs());
      }
      clearRefreshCookie(reply);
      return reply.code(204).send(null);
    },
  );
}
