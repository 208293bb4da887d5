import {
  Identities,
  ProviderLocation,
  ProviderParams,
} from '@atrium/contracts/auth/login-providers';
import { OwnerProof } from '@atrium/contracts/auth/mfa';
import { errorResponses } from '@atrium/contracts/errors';
import { IdParams } from '@atrium/contracts/ids';
import { accountOf, type Authenticator } from '@atrium/service-kit/authentication';
import { HttpError, notFound } from '@atrium/service-kit/http-error';
import { requireAccessToken } from '@atrium/service-kit/protected-routes';
import type { Server } from '@atrium/service-kit/server';
import Type from 'typebox';
import { requesterOf } from '../accounts/requester.ts';
import type { Database } from '../database.ts';
import { PROOF_CODES, type Reauthenticate, requireVerified } from '../second-factor/changes.ts';
import type { FlowCookie } from './flow-store.ts';
import type { RecordIdentityChange } from './identity-change.ts';
import type { KnownProviders } from './providers.ts';
import { deleteIdentity, hasPassword, listIdentities } from './store.ts';

export interface IdentityRoutesDeps {
  database: Database;
  authenticator: Authenticator;
  reauthenticate: Reauthenticate;
  recordChange: RecordIdentityChange;
  providers: KnownProviders;
  flows: FlowCookie;
}

const tags = ['Login with others'];

/** The login providers that are linked to an account, beside its password and its passkeys. */
export async function identityRoutes(server: Server, deps: IdentityRoutesDeps): Promise<void> {
  const { database, providers } = deps;
  requireAccessToken(server, deps.authenticator);

  server.get(
    '/user/identities',
    {
      schema: {
        operationId: 'listIdentities',
        summary: 'List with which providers the account is linked',
        tags,
        response: { 200: Identities, ...errorResponses(401) },
      },
    },
    async (request) => {
      const { id } = accountOf(request);
      const rows = await listIdentities(database, id);
      return {
        data: rows.map((row) => ({
          ...row,
          createdAt: row.createdAt.toISOString(),
          lastUsedAt: row.lastUsedAt.toISOString(),
        })),
        hasPassword: await hasPassword(database, id),
      };
    },
  );

  server.post(
    '/auth/providers/:id/link',
    {
      schema: {
        operationId: 'linkProvider',
        summary: 'Begin to link a provider to this account',
        description:
          'Needs a verified email address, the password, and the second factor if one is on. Send it with ' +
          'credentials: only this browser can go on with it.',
        tags,
        params: ProviderParams,
        body: OwnerProof,
        response: {
          200: ProviderLocation,
          ...errorResponses(401, 404, 422, 503, ...PROOF_CODES, 'email-not-verified'),
        },
      },
    },
    async (request, reply) => {
      const requester = requesterOf(request);
      const { accountId, sessionId } = requester;
      const { id: provider } = request.params;
      const { url, checks } = await providers.begin(provider);
      await deps.reauthenticate(requester, request.body, async (_tx, owner) =>
        requireVerified(owner),
      );
      deps.flows.write(reply, { provider, checks, link: { accountId, sessionId } });
      reply.header('cache-control', 'no-store');
      return { location: url.href };
    },
  );

  server.post(
    '/user/identities/:id/unlink',
    {
      schema: {
        operationId: 'unlinkIdentity',
        summary: 'Log in with this provider no more',
        description: 'Needs the password, with which the person then logs in.',
        tags,
        params: IdParams,
        body: OwnerProof,
        response: {
          204: Type.Null(),
          ...errorResponses(401, 404, 422, 'last-way-in', ...PROOF_CODES),
        },
      },
    },
    async (request, reply) => {
      const requester = requesterOf(request);
      const { accountId } = requester;
      if (!(await hasPassword(database, accountId))) throw new HttpError('last-way-in');
      await deps.reauthenticate(requester, request.body, async (tx, owner, nowMs) => {
        const id = await deleteIdentity(tx, { id: request.params.id, accountId });
        if (id === undefined) throw notFound('Login provider');
        const provider = providers.nameOf(id);
        await deps.recordChange(tx, { isLinked: false, requester, owner, provider, nowMs });
      });
      return reply.code(204).send(null);
    },
  );
}
