import { AuditEvent, AuditQuery } from '@atrium/contracts/auth/audit';
import { errorResponses } from '@atrium/contracts/errors';
import { Page } from '@atrium/contracts/lists';
import { accountOf, type Authenticator } from '@atrium/service-kit/authentication';
import { decodeIdCursor, toPage } from '@atrium/service-kit/pagination';
import type { Server } from '@atrium/service-kit/server';
import type { Database } from '../database.ts';
import { listAuditEvents } from './store.ts';

interface AuditRoutesDeps {
  database: Database;
  authenticator: Authenticator;
}

export function auditRoutes(server: Server, deps: AuditRoutesDeps): void {
  server.get(
    '/user/audit',
    {
      onRequest: deps.authenticator.authenticate,
      schema: {
        operationId: 'listAuditEvents',
        summary: 'List the security events of the account, newest first',
        tags: ['Audit'],
        security: [{ bearer: [] }],
        querystring: AuditQuery,
        response: { 200: Page(AuditEvent), ...errorResponses(401, 422) },
      },
    },
    async (request, reply) => {
      const { id: accountId } = accountOf(request);
      const { limit, cursor, ...filter } = request.query;
      const beforeId = decodeIdCursor(cursor) ?? null;
      const page = { ...filter, accountId, beforeId, limit: limit + 1 };
      const events = await listAuditEvents(deps.database, page);
      reply.header('cache-control', 'no-store');
      return toPage(events, limit, (event) => [event.id]);
    },
  );
}
