import { ChangeFirstPartyBody } from '@atrium/contracts/auth/operator';
import { errorResponses } from '@atrium/contracts/errors';
import { IdParams } from '@atrium/contracts/ids';
import type { Authenticator } from '@atrium/service-kit/authentication';
import { notFound } from '@atrium/service-kit/http-error';
import { requireOperator } from '@atrium/service-kit/protected-routes';
import type { Server } from '@atrium/service-kit/server';
import Type from 'typebox';
import { requesterOf } from '../../accounts/requester.ts';
import type { AuditLog } from '../../audit/record.ts';
import type { Database } from '../../database.ts';
import { setFirstParty } from './store.ts';

interface OperatorApplicationRoutesDeps {
  database: Database;
  authenticator: Authenticator;
  audit: AuditLog;
}

export async function operatorApplicationRoutes(
  server: Server,
  { database, authenticator, audit }: OperatorApplicationRoutesDeps,
): Promise<void> {
  requireOperator(server, authenticator);

  server.patch(
    '/api/operator/applications/:id',
    {
      schema: {
        operationId: 'changeFirstParty',
        summary: 'Say whether an application belongs to those who run Atrium',
        description: 'Nobody is asked to allow such an application.',
        params: IdParams,
        body: ChangeFirstPartyBody,
        response: { 204: Type.Null(), ...errorResponses(401, 404, 422) },
      },
    },
    async (request, reply) => {
      const operator = requesterOf(request);
      const { isFirstParty, reason } = request.body;
      const { id } = request.params;
      await database.transaction(operator.origin, async (tx) => {
        const changed = await setFirstParty(tx, { id, isFirstParty });
        if (changed === undefined) throw notFound('Application');
        const { accountId, name } = changed;
        const data = { name, isFirstParty, reason: reason.trim() };
        await audit.record(tx, {
          kind: 'operator.application_changed',
          accountId,
          origin: null,
          operator,
          data,
        });
      });
      return reply.code(204).send(null);
    },
  );
}
