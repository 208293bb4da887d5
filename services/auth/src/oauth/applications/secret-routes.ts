import { AddedSecret } from '@atrium/contracts/auth/applications';
import { OwnerProof } from '@atrium/contracts/auth/mfa';
import { errorResponses } from '@atrium/contracts/errors';
import { AnyId, IdParams } from '@atrium/contracts/ids';
import { HttpError, notFound } from '@atrium/service-kit/http-error';
import { requireAccessToken } from '@atrium/service-kit/protected-routes';
import type { Server } from '@atrium/service-kit/server';
import Type from 'typebox';
import { requesterOf } from '../../accounts/requester.ts';
import { lockBySession } from '../../accounts/store.ts';
import { PROOF_CODES } from '../../second-factor/changes.ts';
import { recordApplicationChange } from './record-change.ts';
import type { ApplicationRoutesDeps } from './routes.ts';
import { KEEPS_SECRETS, newSecret } from './secrets.ts';
import { deleteSecret, getApplication, insertSecret } from './store.ts';

const tags = ['Applications'];

export async function applicationSecretRoutes(
  server: Server,
  deps: ApplicationRoutesDeps,
): Promise<void> {
  const { database, clockMs } = deps;
  requireAccessToken(server, deps.authenticator);

  server.post(
    '/applications/:id/secrets',
    {
      schema: {
        operationId: 'addApplicationSecret',
        summary: 'Make another secret for an application; the answer shows it once',
        tags,
        params: IdParams,
        body: OwnerProof,
        response: {
          201: AddedSecret,
          ...errorResponses(401, 404, 422, ...PROOF_CODES, 'no-secrets', 'too-many-secrets'),
        },
      },
    },
    async (request, reply) => {
      const requester = requesterOf(request);
      const { id } = request.params;
      const { secret, ...made } = newSecret();
      const row = await deps.reauthenticate(requester, request.body, async (tx, owner, nowMs) => {
        const application = await getApplication(tx, { id, accountId: requester.accountId });
        if (!KEEPS_SECRETS.has(application.kind)) throw new HttpError('no-secrets');
        const inserted = await insertSecret(tx, id, { secret, ...made }, nowMs);
        if (inserted === undefined) throw new HttpError('too-many-secrets');
        await recordApplicationChange(deps, tx, {
          kind: 'application.secret_added',
          requester,
          owner,
          application,
          changes: ['secretAdded'],
          data: { ending: inserted.ending },
          nowMs,
        });
        return inserted;
      });
      reply.code(201).header('cache-control', 'no-store');
      return { ...row, createdAt: row.createdAt.toISOString(), secret };
    },
  );

  server.delete(
    '/applications/:id/secrets/:secretId',
    {
      schema: {
        operationId: 'removeApplicationSecret',
        summary: 'Remove a secret of an application',
        description: 'It is refused from then on. The tokens of a machine end within two seconds.',
        tags,
        params: Type.Object({ id: AnyId, secretId: AnyId }),
        response: { 204: Type.Null(), ...errorResponses(401, 404) },
      },
    },
    async (request, reply) => {
      const requester = requesterOf(request);
      const { id: applicationId, secretId: id } = request.params;
      await database.transaction(requester.origin, async (tx) => {
        const owner = await lockBySession(tx, requester);
        if (owner === undefined) throw new HttpError('token-invalid');
        const { accountId } = requester;
        const application = await getApplication(tx, { id: applicationId, accountId });
        if (!(await deleteSecret(tx, { id, applicationId }))) throw notFound('Secret');
        await recordApplicationChange(deps, tx, {
          kind: 'application.secret_removed',
          requester,
          owner,
          application,
          changes: ['secretRemoved'],
          nowMs: clockMs(),
        });
      });
      await deps.revokedSessions.sync();
      return reply.code(204).send(null);
    },
  );
}
