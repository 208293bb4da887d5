import { Readable } from 'node:stream';
import { AccountExport, ExportState } from '@atrium/contracts/account-data';
import { Message, TokenParams } from '@atrium/contracts/auth/accounts';
import { errorResponses } from '@atrium/contracts/errors';
import {
  accountOf,
  type Authenticator,
  requireVerifiedEmail,
} from '@atrium/service-kit/authentication';
import type { Server } from '@atrium/service-kit/server';
import { requesterOf } from '../../accounts/requester.ts';
import {
  type DownloadDeps,
  type ExportRequestDeps,
  openExport,
  readExportState,
  requestExport,
} from './export.ts';

interface ExportRoutesDeps extends ExportRequestDeps, DownloadDeps {
  authenticator: Authenticator;
}

const EXPORTS_PER_ACCOUNT = { name: 'export-account', limit: 5, windowSeconds: 86_400 };
const DOWNLOADS_PER_ACCOUNT = { name: 'export-download', limit: 60, windowSeconds: 3600 };

export function exportRoutes(server: Server, deps: ExportRoutesDeps): void {
  const security = [{ bearer: [] }];

  server.post(
    '/user/export',
    {
      config: { rateLimit: EXPORTS_PER_ACCOUNT },
      onRequest: deps.authenticator.authenticate,
      // The link is sent to the address, which must be the owner's.
      preHandler: requireVerifiedEmail,
      schema: {
        operationId: 'requestAccountExport',
        summary: 'Request a copy of everything that is stored about the account',
        description: 'It ends an older copy, whose link does not work any more.',
        tags: ['Account lifecycle'],
        security,
        response: { 202: Message, ...errorResponses(401, 'email-not-verified') },
      },
    },
    async (request, reply) => {
      await requestExport(deps, requesterOf(request));
      reply.code(202);
      return { message: 'A link to your data is on its way by email' };
    },
  );

  server.get(
    '/user/export',
    {
      onRequest: deps.authenticator.authenticate,
      schema: {
        operationId: 'getAccountExport',
        summary: 'Show the state of the newest export',
        tags: ['Account lifecycle'],
        security,
        response: { 200: ExportState, ...errorResponses(401) },
      },
    },
    (request, reply) => {
      reply.header('cache-control', 'no-store');
      return readExportState(deps, accountOf(request).id);
    },
  );

  server.get(
    '/user/export/:token',
    {
      config: { rateLimit: DOWNLOADS_PER_ACCOUNT },
      onRequest: deps.authenticator.authenticate,
      schema: {
        operationId: 'downloadAccountExport',
        summary: 'Download the copy with the token from the email',
        tags: ['Account lifecycle'],
        security,
        params: TokenParams,
        response: { 200: AccountExport, ...errorResponses(401, 404) },
      },
    },
    async (request, reply) => {
      const { id: accountId } = accountOf(request);
      const pieces = await openExport(deps, { accountId, token: request.params.token });
      return reply
        .type('application/json; charset=utf-8')
        .header('cache-control', 'no-store')
        .header('content-disposition', 'attachment; filename="atrium-export.json"')
        .send(Readable.from(pieces, { objectMode: false }));
    },
  );
}
