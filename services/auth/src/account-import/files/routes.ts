import { ACCOUNT_IMPORT_MAX_BYTES } from '@atrium/contracts/auth/account-import-size';
import { Readable } from 'node:stream';
import { AccountImport, AccountImportQuery } from '@atrium/contracts/auth/account-imports';
import { errorResponses } from '@atrium/contracts/errors';
import { FileContent } from '@atrium/contracts/file-content';
import { IdParams } from '@atrium/contracts/ids';
import { ListQuery, Page } from '@atrium/contracts/lists';
import type { Authenticator } from '@atrium/service-kit/authentication';
import { HttpError, notFound } from '@atrium/service-kit/http-error';
import { decodeIdCursor, toPage } from '@atrium/service-kit/pagination';
import { requireOperator } from '@atrium/service-kit/protected-routes';
import type { Server } from '@atrium/service-kit/server';
import { acceptBytes, requireLength } from '@atrium/service-kit/streamed-bodies';
import { requesterOf } from '../../accounts/requester.ts';
import type { Database } from '../../database.ts';
import { findImport, listImports, listRejections } from './store.ts';
import { storeUpload, type UploadDeps } from './upload.ts';

interface AccountImportRoutesDeps extends UploadDeps {
  authenticator: Authenticator;
}

const IMPORTS = '/api/operator/account-imports';
const REJECTIONS_AT_ONCE = 1000;

/** docs/moving-in.md */
export async function accountImportRoutes(
  server: Server,
  deps: AccountImportRoutesDeps,
): Promise<void> {
  const { database } = deps;
  requireOperator(server, deps.authenticator);

  await server.register(async (scope: Server) => {
    acceptBytes(scope);
    scope.post(
      IMPORTS,
      {
        preValidation: requireLength,
        schema: {
          operationId: 'importAccounts',
          summary: 'Import accounts of another system',
          description:
            'The body has a JSON object on each line, and at most 100 MiB. It is imported after the ' +
            'response; the import tells how far it is. Accounts that are there already stay as they are.',
          querystring: AccountImportQuery,
          body: { content: { '*/*': { schema: FileContent } } },
          response: { 202: AccountImport, ...errorResponses(401, 404, 413, 422, 'import-running') },
        },
      },
      async (request, reply) => {
        if (Number(request.headers['content-length']) > ACCOUNT_IMPORT_MAX_BYTES) {
          throw new HttpError('body-too-large', 'A file may have at most 100 MiB');
        }
        const operator = requesterOf(request);
        const upload = { operator, fileName: request.query.name, content: request.raw };
        return reply.code(202).send(await storeUpload(deps, upload));
      },
    );
  });

  server.get(
    IMPORTS,
    {
      schema: {
        operationId: 'listAccountImports',
        summary: 'List the imports of accounts of the last 30 days, newest first',
        querystring: ListQuery,
        response: { 200: Page(AccountImport), ...errorResponses(401, 404, 422) },
      },
    },
    async (request) => {
      const { limit, cursor } = request.query;
      const page = { beforeId: decodeIdCursor(cursor) ?? null, limit: limit + 1 };
      return toPage(await listImports(database, page), limit, ({ id }) => [id]);
    },
  );

  server.get(
    `${IMPORTS}/:id`,
    {
      schema: {
        operationId: 'getAccountImport',
        summary: 'Get how far an import of accounts is',
        params: IdParams,
        response: { 200: AccountImport, ...errorResponses(401, 404) },
      },
    },
    (request) => findOne(database, request.params.id),
  );

  server.get(
    `${IMPORTS}/:id/report`,
    {
      schema: {
        operationId: 'downloadAccountImportReport',
        summary: 'Download which lines made no account, and why',
        description: 'A JSON object on each line: `line`, `field`, `message` and `email`.',
        params: IdParams,
        response: {
          200: { content: { '*/*': { schema: FileContent, example: '{"line":7}' } } },
          ...errorResponses(401, 404),
        },
      },
    },
    async (request, reply) => {
      const { id } = await findOne(database, request.params.id);
      const report = Readable.from(reportOf(database, id), { objectMode: false });
      return reply
        .type('application/x-ndjson; charset=utf-8')
        .header('content-disposition', 'attachment; filename="rejected.ndjson"')
        .send(report);
    },
  );
}

async function findOne(database: Database, id: string): Promise<AccountImport> {
  const found = await findImport(database, id);
  if (found === undefined) throw notFound('Import');
  return found;
}

async function* reportOf(database: Database, importId: string): AsyncGenerator<string> {
  for (let afterLine = 0; ;) {
    const page = { importId, afterLine, limit: REJECTIONS_AT_ONCE };
    const rejections = await listRejections(database, page);
    const last = rejections.at(-1);
    if (last === undefined) return;
    yield rejections.map((rejection) => `${JSON.stringify(rejection)}\n`).join('');
    afterLine = last.line;
  }
}
