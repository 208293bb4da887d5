import { Grant } from '@atrium/contracts/auth/authorization';
import { errorResponses } from '@atrium/contracts/errors';
import { IdParams } from '@atrium/contracts/ids';
import { ListQuery, Page } from '@atrium/contracts/lists';
import { accountOf, type Authenticator } from '@atrium/service-kit/authentication';
import { notFound } from '@atrium/service-kit/http-error';
import { decodeIdCursor, toPage } from '@atrium/service-kit/pagination';
import { requireAccessToken } from '@atrium/service-kit/protected-routes';
import type { RevokedSessions } from '@atrium/service-kit/revoked-sessions';
import type { Server } from '@atrium/service-kit/server';
import Type from 'typebox';
import { type Requester, requesterOf } from '../../accounts/requester.ts';
import type { AuditLog } from '../../audit/record.ts';
import type { Database } from '../../database.ts';
import { endDevice, listConsents, revokeConsent } from './store.ts';

interface GrantRoutesDeps {
  database: Database;
  authenticator: Authenticator;
  revokedSessions: Pick<RevokedSessions, 'sync'>;
  audit: AuditLog;
  authUrl: string;
}

const tags = ['Applications'];

/** What the person has allowed applications. */
export async function grantRoutes(server: Server, deps: GrantRoutesDeps): Promise<void> {
  const { database, audit, authUrl } = deps;
  requireAccessToken(server, deps.authenticator);

  server.get(
    '/user/grants',
    {
      schema: {
        operationId: 'listGrants',
        summary: 'List what the account has allowed applications, newest first',
        tags,
        querystring: ListQuery,
        response: { 200: Page(Grant), ...errorResponses(401, 422) },
      },
    },
    async (request) => {
      const { limit, cursor } = request.query;
      const page = { beforeId: decodeIdCursor(cursor) ?? null, limit: limit + 1 };
      const of = { accountId: accountOf(request).id, authUrl };
      const rows = await listConsents(database, { ...of, ...page });
      const { data, nextCursor } = toPage(rows, limit, ({ id }) => [id]);
      return { data: data.map(represent), nextCursor };
    },
  );

  server.delete(
    '/user/grants/:id',
    {
      schema: {
        operationId: 'revokeGrant',
        summary: 'Take back what an application may do',
        description: 'Every service rejects its tokens within two seconds.',
        tags,
        params: IdParams,
        response: { 204: Type.Null(), ...errorResponses(401, 404) },
      },
    },
    async (request, reply) => {
      await end(requesterOf(request), request.params.id, revokeConsent, 'Grant');
      return reply.code(204).send(null);
    },
  );

  server.delete(
    '/user/devices/:id',
    {
      schema: {
        operationId: 'logOutDevice',
        summary: 'Log out a device that was logged in by its code',
        tags,
        params: IdParams,
        response: { 204: Type.Null(), ...errorResponses(401, 404) },
      },
    },
    async (request, reply) => {
      await end(requesterOf(request), request.params.id, endDevice, 'Device');
      return reply.code(204).send(null);
    },
  );

  /** @throws HttpError 404 */
  async function end(
    requester: Requester,
    id: string,
    remove: typeof revokeConsent,
    what: 'Grant' | 'Device',
  ): Promise<void> {
    const { accountId, origin } = requester;
    await database.transaction(origin, async (tx) => {
      const name = await remove(tx, { id, accountId });
      if (name === undefined) throw notFound(what);
      await audit.record(tx, { kind: 'application.revoked', ...requester, data: { name } });
    });
    await deps.revokedSessions.sync();
  }
}

function represent({
  createdAt,
  lastUsedAt,
  devices,
  ...grant
}: Awaited<ReturnType<typeof listConsents>>[number]): Grant {
  return {
    ...grant,
    createdAt: createdAt.toISOString(),
    lastUsedAt: lastUsedAt.toISOString(),
    devices: devices.map((device) => ({
      ...device,
      createdAt: device.createdAt.toISOString(),
    })),
  };
}
