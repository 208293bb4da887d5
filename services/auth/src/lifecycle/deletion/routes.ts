import { DeletionScheduled, DeletionState } from '@atrium/contracts/account-data';
import { Message } from '@atrium/contracts/auth/accounts';
import { errorResponses } from '@atrium/contracts/errors';
import { OwnerProof } from '@atrium/contracts/auth/mfa';
import { accountOf, type Authenticator } from '@atrium/service-kit/authentication';
import type { Server } from '@atrium/service-kit/server';
import { requesterOf } from '../../accounts/requester.ts';
import { clearRefreshCookie } from '../../sessions/client.ts';
import type { RevokedSessions } from '@atrium/service-kit/revoked-sessions';
import { type DeletionDeps, requestDeletion, restoreAccount } from './deletion.ts';
import { findDeletion } from './store.ts';
import { PROOF_CODES } from '../../second-factor/changes.ts';

interface DeletionRoutesDeps extends DeletionDeps {
  authenticator: Authenticator;
  revokedSessions: Pick<RevokedSessions, 'sync'>;
}

export function deletionRoutes(server: Server, deps: DeletionRoutesDeps): void {
  const security = [{ bearer: [] }];

  server.delete(
    '/user/me',
    {
      onRequest: deps.authenticator.authenticate,
      schema: {
        operationId: 'deleteCurrentUser',
        summary: 'Delete the account after a grace period in which it can be restored',
        tags: ['Account lifecycle'],
        security,
        body: OwnerProof,
        response: { 202: DeletionScheduled, ...errorResponses(401, 422, ...PROOF_CODES) },
      },
    },
    async (request, reply) => {
      const erasesAt = await requestDeletion(deps, requesterOf(request), request.body);
      await deps.revokedSessions.sync();
      clearRefreshCookie(reply);
      reply.code(202);
      return {
        message: 'Your account will be erased, log in before then to keep it',
        erasesAt: erasesAt.toISOString(),
      };
    },
  );

  server.get(
    '/user/me/deletion',
    {
      onRequest: deps.authenticator.authenticate,
      schema: {
        operationId: 'getAccountDeletion',
        summary: 'Show when the account will be erased, if a deletion is scheduled',
        tags: ['Account lifecycle'],
        security,
        response: { 200: DeletionState, ...errorResponses(401) },
      },
    },
    async (request) => {
      const dueAt = await findDeletion(deps.database, accountOf(request).id);
      return { erasesAt: dueAt?.toISOString() ?? null };
    },
  );

  server.post(
    '/user/me/restore',
    {
      onRequest: deps.authenticator.authenticate,
      schema: {
        operationId: 'restoreCurrentUser',
        summary: 'Cancel the scheduled deletion of the account',
        tags: ['Account lifecycle'],
        security,
        response: { 200: Message, ...errorResponses(401, 'nothing-to-change') },
      },
    },
    async (request) => {
      await restoreAccount(deps, requesterOf(request));
      return { message: 'Your account stays' };
    },
  );
}
