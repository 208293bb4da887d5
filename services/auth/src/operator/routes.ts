import { errorResponses } from '@atrium/contracts/errors';
import { IdParams } from '@atrium/contracts/ids';
import { ListQuery, Page } from '@atrium/contracts/lists';
import {
  ChangePlanBody,
  OperatorAccount,
  OperatorAccountsQuery,
  OperatorAction,
  ReasonBody,
} from '@atrium/contracts/auth/operator';
import type { Authenticator } from '@atrium/service-kit/authentication';
import { notFound } from '@atrium/service-kit/http-error';
import { requireOperator } from '@atrium/service-kit/protected-routes';
import { decodeIdCursor, toPage } from '@atrium/service-kit/pagination';
import type { Server } from '@atrium/service-kit/server';
import type { FastifyRequest } from 'fastify';
import { requesterOf } from '../accounts/requester.ts';
import {
  createOperatorActions,
  type OperatorActionsDeps,
  type OperatorRequest,
} from './actions.ts';
import { findOperatorAccount, listOperatorAccounts, listOperatorActions } from './store.ts';

interface OperatorRoutesDeps extends OperatorActionsDeps {
  authenticator: Authenticator;
}

const ACCOUNTS = '/api/operator/accounts';

export async function operatorRoutes(server: Server, deps: OperatorRoutesDeps): Promise<void> {
  const { database, clockMs } = deps;
  const actions = createOperatorActions(deps);
  requireOperator(server, deps.authenticator);

  async function findAccount(id: string): Promise<OperatorAccount> {
    const account = await findOperatorAccount(database, { id, nowMs: clockMs() });
    if (account === undefined) throw notFound('Account');
    return account;
  }

  server.get(
    ACCOUNTS,
    {
      schema: {
        operationId: 'listOperatorAccounts',
        summary: 'Find accounts, newest first',
        querystring: OperatorAccountsQuery,
        response: { 200: Page(OperatorAccount), ...errorResponses(401, 404, 422) },
      },
    },
    async (request) => {
      const { query = '', limit, cursor } = request.query;
      const page = {
        query: query.trim(),
        beforeId: decodeIdCursor(cursor) ?? null,
        limit: limit + 1,
      };
      const rows = await listOperatorAccounts(database, { ...page, nowMs: clockMs() });
      return toPage(rows, limit, ({ id }) => [id]);
    },
  );

  server.get(
    `${ACCOUNTS}/:id`,
    {
      schema: {
        operationId: 'getOperatorAccount',
        summary: 'Get an account',
        params: IdParams,
        response: { 200: OperatorAccount, ...errorResponses(401, 404) },
      },
    },
    (request) => findAccount(request.params.id),
  );

  server.get(
    `${ACCOUNTS}/:id/actions`,
    {
      schema: {
        operationId: 'listOperatorActions',
        summary: 'List what operators did to an account, newest first',
        params: IdParams,
        querystring: ListQuery,
        response: { 200: Page(OperatorAction), ...errorResponses(401, 404, 422) },
      },
    },
    async (request) => {
      const { limit, cursor } = request.query;
      const page = {
        accountId: request.params.id,
        beforeId: decodeIdCursor(cursor) ?? null,
        limit: limit + 1,
      };
      return toPage(await listOperatorActions(database, page), limit, ({ id }) => [id]);
    },
  );

  server.patch(
    `${ACCOUNTS}/:id`,
    {
      schema: {
        operationId: 'changeAccountPlan',
        summary: 'Change the plan of an account',
        description: 'Access tokens carry the new plan from the next refresh on.',
        params: IdParams,
        body: ChangePlanBody,
        response: { 200: OperatorAccount, ...errorResponses(401, 404, 422, 'nothing-to-change') },
      },
    },
    async (request) => {
      await actions.changePlan(requestOf(request), request.body.plan);
      return findAccount(request.params.id);
    },
  );

  const ACTIONS = [
    {
      path: 'suspend',
      operationId: 'suspendAccount',
      summary: 'End the sessions of an account and refuse its logins',
      run: actions.suspend,
    },
    {
      path: 'unsuspend',
      operationId: 'unsuspendAccount',
      summary: 'Let a suspended account log in again',
      run: actions.unsuspend,
    },
    {
      path: 'sign-out',
      operationId: 'signOutAccount',
      summary: 'End all sessions of an account',
      run: actions.signOut,
    },
  ];
  for (const { path, operationId, summary, run } of ACTIONS) {
    server.post(
      `${ACCOUNTS}/:id/${path}`,
      {
        schema: {
          operationId,
          summary,
          description: 'The reason is shown to the account.',
          params: IdParams,
          body: ReasonBody,
          response: {
            200: OperatorAccount,
            ...errorResponses(401, 404, 422, 'own-account', 'nothing-to-change'),
          },
        },
      },
      async (request) => {
        await run(requestOf(request));
        return findAccount(request.params.id);
      },
    );
  }
}

function requestOf(
  request: FastifyRequest<{ Params: { id: string }; Body: { reason: string } }>,
): OperatorRequest {
  const { params, body } = request;
  return { operator: requesterOf(request), accountId: params.id, reason: body.reason.trim() };
}
