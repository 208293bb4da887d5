import { Message } from '@atrium/contracts/auth/accounts';
import { errorResponses } from '@atrium/contracts/errors';
import { IdParams } from '@atrium/contracts/ids';
import { ListQuery, Page } from '@atrium/contracts/lists';
import { OwnerProof } from '@atrium/contracts/auth/mfa';
import {
  AddedPasskey,
  AddPasskeyBody,
  Passkey,
  PasskeyCreationOptions,
  RenamePasskeyBody,
} from '@atrium/contracts/auth/passkeys';
import { accountOf, type Authenticator } from '@atrium/service-kit/authentication';
import { notFound } from '@atrium/service-kit/http-error';
import { decodeIdCursor, toPage } from '@atrium/service-kit/pagination';
import type { Server } from '@atrium/service-kit/server';
import { requesterOf } from '../../accounts/requester.ts';
import { addPasskey, type PasskeyDeps, removePasskey, startPasskey } from './changes.ts';
import { listPasskeys, type PasskeyRow, renamePasskey } from './store.ts';
import { PROOF_CODES } from '../changes.ts';

export interface PasskeyRoutesDeps extends PasskeyDeps {
  authenticator: Authenticator;
}

const tags = ['Passkeys'];
const security = [{ bearer: [] }];

export function passkeyRoutes(server: Server, deps: PasskeyRoutesDeps): void {
  const { authenticate: onRequest } = deps.authenticator;

  server.post(
    '/user/passkeys/options',
    {
      onRequest,
      schema: {
        operationId: 'startPasskeyRegistration',
        summary: 'Begin to add a passkey',
        tags,
        security,
        body: OwnerProof,
        response: {
          200: PasskeyCreationOptions,
          ...errorResponses(401, 422, ...PROOF_CODES, 'email-not-verified', 'too-many-passkeys'),
        },
      },
    },
    async (request, reply) => {
      const options = await startPasskey(deps, requesterOf(request), request.body);
      reply.header('cache-control', 'no-store');
      return options;
    },
  );

  server.post(
    '/user/passkeys',
    {
      onRequest,
      schema: {
        operationId: 'addPasskey',
        summary: 'Add the passkey that the browser made',
        tags,
        security,
        body: AddPasskeyBody,
        response: {
          201: AddedPasskey,
          ...errorResponses(401, 422, 'passkey-unverified', 'passkey-exists', 'too-many-passkeys'),
        },
      },
    },
    async (request, reply) => {
      const { passkey, recoveryCodes } = await addPasskey(deps, requesterOf(request), request.body);
      reply.code(201).header('cache-control', 'no-store');
      return { passkey: represent(passkey), recoveryCodes };
    },
  );

  server.get(
    '/user/passkeys',
    {
      onRequest,
      schema: {
        operationId: 'listPasskeys',
        summary: 'List the passkeys of the account, oldest first',
        tags,
        security,
        querystring: ListQuery,
        response: { 200: Page(Passkey), ...errorResponses(401, 422) },
      },
    },
    async (request) => {
      const { limit, cursor } = request.query;
      const { id: accountId } = accountOf(request);
      const afterId = decodeIdCursor(cursor) ?? null;
      const rows = await listPasskeys(deps.database, { accountId, afterId, limit: limit + 1 });
      const page = toPage(rows, limit, (row) => [row.id]);
      return { data: page.data.map(represent), nextCursor: page.nextCursor };
    },
  );

  server.patch(
    '/user/passkeys/:id',
    {
      onRequest,
      schema: {
        operationId: 'renamePasskey',
        summary: 'Rename a passkey',
        tags,
        security,
        params: IdParams,
        body: RenamePasskeyBody,
        response: { 200: Passkey, ...errorResponses(401, 404, 422) },
      },
    },
    async (request) => {
      const { id: accountId } = accountOf(request);
      const change = { id: request.params.id, accountId, name: request.body.name };
      const passkey = await renamePasskey(deps.database, change);
      if (passkey === undefined) {
        throw notFound('Passkey');
      }
      return represent(passkey);
    },
  );

  server.post(
    '/user/passkeys/:id/remove',
    {
      onRequest,
      schema: {
        // Not DELETE: re-authentication needs a body (RFC 9110 section 9.3.5).
        operationId: 'removePasskey',
        summary: 'Remove a passkey',
        tags,
        security,
        params: IdParams,
        body: OwnerProof,
        response: { 200: Message, ...errorResponses(401, 404, 422, ...PROOF_CODES) },
      },
    },
    async (request) => {
      const { id } = request.params;
      await removePasskey(deps, requesterOf(request), { id, proof: request.body });
      return { message: 'Passkey removed' };
    },
  );
}

function represent({ id, name, createdAt, lastUsedAt }: PasskeyRow) {
  return {
    id,
    name,
    createdAt: createdAt.toISOString(),
    lastUsedAt: lastUsedAt?.toISOString() ?? null,
  };
}
