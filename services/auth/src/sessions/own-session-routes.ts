import { errorResponses } from '@atrium/contracts/errors';
import { IdParams } from '@atrium/contracts/ids';
import { ListQuery, Page } from '@atrium/contracts/lists';
import { Session } from '@atrium/contracts/auth/sessions';
import { accountOf, type Authenticator } from '@atrium/service-kit/authentication';
import { notFound } from '@atrium/service-kit/http-error';
import { decodeIdCursor, toPage } from '@atrium/service-kit/pagination';
import type { Server } from '@atrium/service-kit/server';
import Type from 'typebox';
import type { Database } from '../database.ts';
import { type Requester, requesterOf } from '../accounts/requester.ts';
import { lockAccount } from '../accounts/store.ts';
import type { AuditLog } from '../audit/record.ts';
import { RATE_LIMITS } from '../rate-limits.ts';
import { clearRefreshCookie } from './client.ts';
import { coarseNetworkOf } from './network.ts';
import type { RevokedSessions } from '@atrium/service-kit/revoked-sessions';
import { listSessions, revokeSessions, type SessionChoice, type SessionRow } from './store.ts';

interface OwnSessionRoutesDeps {
  database: Database;
  authenticator: Authenticator;
  revokedSessions: Pick<RevokedSessions, 'sync'>;
  audit: AuditLog;
  clockMs: () => number;
}

const tags = ['Sessions'];
const security = [{ bearer: [] }];

export function ownSessionRoutes(server: Server, deps: OwnSessionRoutesDeps): void {
  const { database, clockMs } = deps;
  const onRequest = deps.authenticator.authenticate;

  server.get(
    '/user/sessions',
    {
      onRequest,
      schema: {
        operationId: 'listSessions',
        summary: 'List the active sessions of the account, newest first',
        tags,
        security,
        querystring: ListQuery,
        response: { 200: Page(Session), ...errorResponses(401, 422) },
      },
    },
    async (request, reply) => {
      const { id: accountId, sessionId } = accountOf(request);
      const { limit, cursor } = request.query;
      const rows = await listSessions(deps.database, {
        accountId,
        beforeId: decodeIdCursor(cursor) ?? null,
        limit: limit + 1,
        nowMs: clockMs(),
      });
      const { data, nextCursor } = toPage(rows, limit, (row) => [row.id]);
      reply.header('cache-control', 'no-store');
      return { data: data.map((row) => represent(row, sessionId)), nextCursor };
    },
  );

  server.delete(
    '/user/sessions/:id',
    {
      onRequest,
      schema: {
        operationId: 'revokeSession',
        summary: 'Revoke a session',
        tags,
        security,
        params: IdParams,
        response: { 204: Type.Null(), ...errorResponses(401, 404) },
      },
    },
    async (request, reply) => {
      const requester = requesterOf(request);
      const { accountId } = requester;
      const { id: sessionId } = request.params;
      if ((await revoke(requester, { accountId, sessionId })) === 0) {
        throw notFound('Session');
      }
      if (sessionId === requester.sessionId) {
        clearRefreshCookie(reply);
      }
      return reply.code(204).send(null);
    },
  );

  server.delete(
    '/user/sessions',
    {
      config: { rateLimit: RATE_LIMITS.revokeSessionsByAccount },
      onRequest,
      schema: {
        operationId: 'revokeOtherSessions',
        summary: 'Revoke all other sessions',
        tags,
        security,
        response: { 204: Type.Null(), ...errorResponses(401) },
      },
    },
    async (request, reply) => {
      const requester = requesterOf(request);
      const { accountId, sessionId: exceptSessionId } = requester;
      await revoke(requester, { accountId, exceptSessionId });
      return reply.code(204).send(null);
    },
  );

  /** @returns the number of revoked sessions */
  async function revoke(requester: Requester, choice: SessionChoice): Promise<number> {
    const nowMs = clockMs();
    const revoked = await database.transaction(requester.origin, async (tx) => {
      // A login that is being completed either ends before, and is revoked, or is refused.
      await lockAccount(tx, requester.accountId);
      const sessions = await revokeSessions(tx, choice, nowMs);
      const [first] = sessions;
      if (first !== undefined) {
        const data =
          sessions.length === 1
            ? { revokedSessionId: first.sessionId }
            : { revokedSessions: sessions.length };
        await deps.audit.record(tx, { kind: 'session.revoked', ...requester, data });
      }
      return sessions;
    });
    await deps.revokedSessions.sync();
    return revoked.length;
  }
}

function represent(row: SessionRow, currentId: string): Session {
  const { id, browser, os, ipAddress, createdAt, lastUsedAt, expiresAt } = row;
  return {
    id,
    device: { browser, os },
    network: coarseNetworkOf(ipAddress),
    createdAt: createdAt.toISOString(),
    lastSeenAt: lastUsedAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
    current: id === currentId,
  };
}
