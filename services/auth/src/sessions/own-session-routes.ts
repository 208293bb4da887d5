import { errorResponses } from '@atrium/contracts/errors';
import { IdParams } from '@atrium/contracts/ids';
import { ListQuery, Page } from '@atrium/contracts/lists';
import { Session } from '@atrium/contracts/sessions';
import { accountOf, type Authenticator } from '@atrium/service-kit/authentication';
import type { Database } from '@atrium/service-kit/database';
import { notFound, validationError } from '@atrium/service-kit/http-error';
import { decodeCursor, toPage } from '@atrium/service-kit/pagination';
import type { Server } from '@atrium/service-kit/server';
import type { FastifyRequest } from 'fastify';
import Type from 'typebox';
import { originOf } from '../audit/origin.ts';
import type { RecordAudit } from '../audit/record.ts';
import type { PrismaClient } from '../generated/client.ts';
import { clearRefreshCookie } from './cookies.ts';
import { networkOf } from './network.ts';
import type { RevokedSessions } from '@atrium/service-kit/revoked-sessions';
import { listSessions, revokeSessions, type SessionChoice, type SessionRow } from './store.ts';

interface OwnSessionRoutesDeps {
  database: Database;
  prisma: PrismaClient;
  authenticator: Authenticator;
  revokedSessions: Pick<RevokedSessions, 'sync'>;
  recordAudit: RecordAudit;
  clockMs: () => number;
}

/** What an account's owner sees of their sessions, and ends. */
export function ownSessionRoutes(server: Server, deps: OwnSessionRoutesDeps): void {
  const { database, clockMs } = deps;
  const onRequest = deps.authenticator.authenticate;
  const security = [{ bearer: [] }];

  server.get(
    '/user/sessions',
    {
      onRequest,
      schema: {
        summary: 'The places where the account is logged in, newest first',
        tags: ['sessions'],
        security,
        querystring: ListQuery,
        response: { 200: Page(Session), ...errorResponses(401, 422) },
      },
    },
    async (request, reply) => {
      const { id: accountId, sessionId } = accountOf(request);
      const { limit, cursor } = request.query;
      const rows = await listSessions(deps.prisma, {
        accountId,
        beforeId: cursor === undefined ? null : idOf(cursor),
        limit: limit + 1,
        nowMs: clockMs(),
      });
      const { data, nextCursor } = toPage(rows, limit, (row) => [row.id]);
      reply.header('cache-control', 'no-store');
      return { data: data.map((row) => shown(row, sessionId)), nextCursor };
    },
  );

  server.delete(
    '/user/sessions/:id',
    {
      onRequest,
      schema: {
        summary: 'End a session',
        tags: ['sessions'],
        security,
        params: IdParams,
        response: { 204: Type.Null(), ...errorResponses(401, 404) },
      },
    },
    async (request, reply) => {
      const { id: accountId, sessionId: ownId } = accountOf(request);
      const { id: sessionId } = request.params;
      if ((await end(request, { accountId, sessionId })) === 0) {
        throw notFound('Session');
      }
      if (sessionId === ownId) {
        clearRefreshCookie(reply);
      }
      return reply.code(204).send(null);
    },
  );

  server.delete(
    '/user/sessions',
    {
      onRequest,
      schema: {
        summary: 'End all other sessions',
        tags: ['sessions'],
        security,
        response: { 204: Type.Null(), ...errorResponses(401) },
      },
    },
    async (request, reply) => {
      const { id: accountId, sessionId: exceptSessionId } = accountOf(request);
      await end(request, { accountId, exceptSessionId });
      return reply.code(204).send(null);
    },
  );

  /** @returns how many sessions ended */
  async function end(request: FastifyRequest, choice: SessionChoice): Promise<number> {
    const { id: accountId, sessionId } = accountOf(request);
    const nowMs = clockMs();
    const origin = originOf(request);
    const ended = await database.transaction(async (tx) => {
      const revoked = await revokeSessions(tx, choice, nowMs);
      if (revoked.length > 0) {
        const [first] = revoked;
        const data =
          revoked.length === 1 && first !== undefined
            ? { revokedSessionId: first.sessionId }
            : { revokedSessions: revoked.length };
        const kind = 'session.revoked';
        await deps.recordAudit(tx, { kind, accountId, sessionId, origin, data, nowMs });
      }
      return revoked;
    });
    await deps.revokedSessions.sync();
    return ended.length;
  }
}

function shown(row: SessionRow, currentId: string): Session {
  const { id, browser, os, ipAddress, createdAt, lastUsedAt, expiresAt } = row;
  return {
    id,
    device: { browser, os },
    network: networkOf(ipAddress),
    createdAt: createdAt.toISOString(),
    lastSeenAt: lastUsedAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
    current: id === currentId,
  };
}

function idOf(cursor: string): string {
  const [id] = decodeCursor(cursor, 1);
  if (typeof id !== 'string') {
    throw validationError('Cursor is not valid');
  }
  return id;
}
