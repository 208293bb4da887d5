import {
  Application,
  Applications,
  CreateApplicationBody,
  CreatedApplication,
} from '@atrium/contracts/auth/applications';
import { errorResponses } from '@atrium/contracts/errors';
import { IdParams, newId } from '@atrium/contracts/ids';
import { PLAN_LIMITS } from '@atrium/contracts/plan-limits';
import { accountOf, type Authenticator } from '@atrium/service-kit/authentication';
import { HttpError, notFound } from '@atrium/service-kit/http-error';
import { requireAccessToken } from '@atrium/service-kit/protected-routes';
import type { RevokedSessions } from '@atrium/service-kit/revoked-sessions';
import type { Server } from '@atrium/service-kit/server';
import Type from 'typebox';
import { requesterOf } from '../../accounts/requester.ts';
import type { AuditLog } from '../../audit/record.ts';
import type { Database, Tx } from '../../database.ts';
import type { Emails } from '../../email/outbox/store.ts';
import { PROOF_CODES, type Reauthenticate, requireVerified } from '../../second-factor/changes.ts';
import { KEEPS_SECRETS, newSecret } from './secrets.ts';
import { representApplication, representApplications } from './represent.ts';
import * as store from './store.ts';
import { checkUrls } from './urls.ts';

export interface ApplicationRoutesDeps {
  database: Database;
  authenticator: Authenticator;
  reauthenticate: Reauthenticate;
  revokedSessions: Pick<RevokedSessions, 'sync'>;
  audit: AuditLog;
  emails: Emails;
  authUrl: string;
  clockMs: () => number;
}

const tags = ['Applications'];
const BATCH_SIZE = 500;

export async function applicationRoutes(
  server: Server,
  deps: ApplicationRoutesDeps,
): Promise<void> {
  const { database, audit } = deps;
  requireAccessToken(server, deps.authenticator);

  const represent = (application: store.StoredApplication) =>
    representApplication(deps, application);
  const find = (id: string, accountId: string, queries: Database | Tx = database) =>
    store.getApplication(queries, { id, accountId });

  server.get(
    '/applications',
    {
      schema: {
        operationId: 'listApplications',
        summary: 'List the applications of the account, newest first',
        tags,
        response: { 200: Applications, ...errorResponses(401) },
      },
    },
    async (request) => {
      const { id, plan } = accountOf(request);
      const rows = await store.listApplications(database, id);
      const data = await representApplications(deps, rows);
      return { data, limit: PLAN_LIMITS[plan].applications };
    },
  );

  server.post(
    '/applications',
    {
      schema: {
        operationId: 'createApplication',
        summary: 'Register an application that people log in to with Atrium',
        description: 'The answer shows its secret once.',
        tags,
        body: CreateApplicationBody,
        response: {
          201: CreatedApplication,
          ...errorResponses(
            401,
            422,
            ...PROOF_CODES,
            'email-not-verified',
            'plan-limit-applications',
            'redirect-url-missing',
            'url-not-allowed',
          ),
        },
      },
    },
    async (request, reply) => {
      const requester = requesterOf(request);
      const { accountId } = requester;
      const {
        kind,
        name,
        homePage = null,
        redirectUrls = [],
        postLogoutUrls = [],
        backchannelLogoutUrl = null,
        scopes = [],
        idTokenAlgorithm = 'RS256',
        ...proof
      } = request.body;
      const urls = { homePage, redirectUrls, postLogoutUrls, backchannelLogoutUrl };
      checkUrls(kind, urls);
      const limit = PLAN_LIMITS[accountOf(request).plan].applications;
      const secret = KEEPS_SECRETS.has(kind) ? newSecret() : undefined;
      const made = await deps.reauthenticate(requester, proof, async (tx, owner, nowMs) => {
        requireVerified(owner);
        if ((await store.countApplications(tx, accountId)) >= limit) {
          throw new HttpError('plan-limit-applications', `Your plan allows ${limit} applications`);
        }
        const id = newId('app', nowMs);
        const application = { id, accountId, kind, name: name.trim(), ...urls, scopes };
        await store.insertApplication(tx, { ...application, idTokenAlgorithm }, nowMs);
        if (secret !== undefined) await store.insertSecret(tx, id, secret, nowMs);
        const data = { name: application.name, application: id };
        await audit.record(tx, { kind: 'application.created', ...requester, data });
        return find(id, accountId, tx);
      });
      reply.code(201).header('cache-control', 'no-store');
      return {
        ...(await represent(made)),
        ...(secret === undefined ? {} : { secret: secret.secret }),
      };
    },
  );

  server.get(
    '/applications/:id',
    {
      schema: {
        operationId: 'getApplication',
        summary: 'Get an application',
        tags,
        params: IdParams,
        response: { 200: Application, ...errorResponses(401, 404) },
      },
    },
    async (request) => represent(await find(request.params.id, accountOf(request).id)),
  );

  server.delete(
    '/applications/:id',
    {
      schema: {
        operationId: 'deleteApplication',
        summary: 'Delete an application and end all of its tokens',
        tags,
        params: IdParams,
        response: { 204: Type.Null(), ...errorResponses(401, 404) },
      },
    },
    async (request, reply) => {
      const requester = requesterOf(request);
      const { accountId } = requester;
      const { id } = request.params;
      await store.deleteGrantsInBatches(database, { application: { id, accountId } }, BATCH_SIZE);
      await database.transaction(requester.origin, async (tx) => {
        const name = await store.deleteApplication(tx, { id, accountId });
        if (name === undefined) throw notFound('Application');
        await audit.record(tx, { kind: 'application.deleted', ...requester, data: { name } });
      });
      await deps.revokedSessions.sync();
      return reply.code(204).send(null);
    },
  );
}
