import { RefreshResponse } from '@atrium/contracts/auth/accounts';
import { errorResponses } from '@atrium/contracts/errors';
import type { Authenticator } from '@atrium/service-kit/authentication';
import { HttpError, tooManyRequests } from '@atrium/service-kit/http-error';
import type { Server } from '@atrium/service-kit/server';
import type { FastifyRequest, onRequestHookHandler } from 'fastify';
import Type from 'typebox';
import { originOf } from '../audit/origin.ts';
import type { AuditLog } from '../audit/record.ts';
import type { IssueAccessToken } from '../signing-keys/access-token.ts';
import {
  clearRefreshCookie,
  clientOf,
  readRefreshToken,
  setDeviceCookie,
  setRefreshCookie,
} from './client.ts';
import { refresh, type RefreshDeps, THROTTLED_SECONDS } from './refresh.ts';
import type { RevokedSessions } from '@atrium/service-kit/revoked-sessions';
import { revokeSessions, type SessionChoice } from './store.ts';

interface SessionRoutesDeps extends RefreshDeps {
  authenticator: Authenticator;
  issueAccessToken: IssueAccessToken;
  revokedSessions: Pick<RevokedSessions, 'sync'>;
  audit: AuditLog;
  refuseForeignOrigin: onRequestHookHandler;
  clockMs: () => number;
}

const tags = ['Sessions'];

export function sessionRoutes(server: Server, deps: SessionRoutesDeps): void {
  const { database, clockMs, refuseForeignOrigin: onRequest } = deps;

  server.post(
    '/auth/refresh',
    {
      onRequest,
      schema: {
        operationId: 'refreshSession',
        summary: 'Exchange the refresh cookie for an access token',
        description:
          'Each use replaces the cookie. Within 20 s, the former one works again, for answers that were lost and ' +
          'other tabs, but only with the `device` cookie that the login has set: keep both.',
        tags,
        security: [{ refreshToken: [] }],
        response: {
          200: RefreshResponse,
          ...errorResponses('session-ended', 'origin-not-allowed'),
        },
      },
    },
    async (request, reply) => {
      const token = readRefreshToken(request);
      const nowMs = clockMs();
      const { device } = clientOf(deps.keyRing, request);
      const isDevice = (deviceIdHash: Buffer) => device.idHash.equals(deviceIdHash);
      const outcome =
        token === undefined
          ? ({ kind: 'refused' } as const)
          : await refresh(deps, { token, ipAddress: request.ip, isDevice, nowMs });
      reply.header('cache-control', 'no-store');
      if (outcome.kind === 'refreshed') {
        const accessToken = await deps.issueAccessToken(outcome.subject, nowMs);
        setRefreshCookie(reply, outcome.refreshToken);
        // Signed with the first key, so that a change of keys makes no known device unknown.
        if (device.hasCookie) setDeviceCookie(reply, device.cookie);
        return { accessToken };
      }
      if (outcome.kind === 'throttled') {
        throw tooManyRequests(undefined, THROTTLED_SECONDS);
      }
      if (outcome.kind === 'replayed') {
        const { accountId, sessionId } = outcome;
        const origin = originOf(request);
        await deps.revokedSessions.sync();
        await deps.audit.record(database, { kind: 'refresh.reused', accountId, sessionId, origin });
      }
      clearRefreshCookie(reply);
      const why = outcome.kind === 'suspended' ? 'This account is suspended' : undefined;
      throw new HttpError('session-ended', why);
    },
  );

  server.post(
    '/auth/logout',
    {
      onRequest: [onRequest, authenticateIfValid(deps.authenticator)],
      schema: {
        operationId: 'logOut',
        summary: 'Revoke the session of the refresh cookie or of the access token',
        description: 'When the request carries both, it ends the sessions of both.',
        tags,
        // Without either there is nothing to revoke, and the answer is the same.
        security: [{ refreshToken: [] }, { bearer: [] }, {}],
        response: { 204: Type.Null(), ...errorResponses('origin-not-allowed') },
      },
    },
    async (request, reply) => {
      const nowMs = clockMs();
      const origin = originOf(request);
      for (const choice of sessionsOf(request)) {
        const [revoked] = await revokeSessions(database, choice, nowMs);
        await deps.revokedSessions.sync();
        if (revoked !== undefined) {
          await deps.audit.record(database, { kind: 'logout', ...revoked, origin });
        }
      }
      clearRefreshCookie(reply);
      return reply.code(204).send(null);
    },
  );
}

/** The sessions that a logout is about. */
function sessionsOf(request: FastifyRequest): SessionChoice[] {
  const refreshToken = readRefreshToken(request);
  const { account } = request;
  return [
    ...(refreshToken === undefined ? [] : [{ refreshToken }]),
    ...(account === null ? [] : [{ sessionId: account.sessionId, accountId: account.id }]),
  ];
}

/** A logout with an access token that is no longer valid, or of a program, still ends the session of the cookie. */
function authenticateIfValid({ authenticate }: Authenticator): onRequestHookHandler {
  return function (request, reply, done) {
    authenticate.call(this, request, reply, (error) => {
      done(error instanceof HttpError && error.status < 429 ? undefined : error);
    });
  };
}
