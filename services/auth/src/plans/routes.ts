import { createHash, timingSafeEqual } from 'node:crypto';
import { AccountPlan, SetPlanBody } from '@atrium/contracts/auth/accounts';
import { Plan } from '@atrium/contracts/auth/tokens';
import { errorResponses } from '@atrium/contracts/errors';
import { IdParams } from '@atrium/contracts/ids';
import { accountOf, type Authenticator } from '@atrium/service-kit/authentication';
import { HttpError, notFound } from '@atrium/service-kit/http-error';
import type { Server } from '@atrium/service-kit/server';
import type { onRequestHookHandler } from 'fastify';
import Value from 'typebox/value';
import type { Database } from '../database.ts';
import { originOf } from '../audit/origin.ts';
import type { AuditLog } from '../audit/record.ts';
import { setPlan } from './set-plan.ts';

interface PlanRoutesDeps {
  database: Database;
  authenticator: Authenticator;
  audit: AuditLog;
  internalSecret: string;
  clockMs: () => number;
}

export function planRoutes(server: Server, deps: PlanRoutesDeps): void {
  server.get(
    '/user/plan',
    {
      config: { scope: 'account:read' },
      onRequest: deps.authenticator.authenticate,
      schema: {
        operationId: 'getPlan',
        summary: 'Get the plan of the account',
        description: 'The limits of a plan and their use belong to each product.',
        tags: ['Plans'],
        security: [{ bearer: ['account:read'] }],
        response: { 200: AccountPlan, ...errorResponses(401) },
      },
    },
    async (request) => {
      const { id } = accountOf(request);
      const account = await deps.database.prisma.account.findUnique({
        where: { id },
        select: { plan: true },
      });
      if (account === null) {
        throw new HttpError('token-invalid');
      }
      return { id, plan: Value.Parse(Plan, account.plan) };
    },
  );

  server.put(
    '/internal/accounts/:id/plan',
    {
      onRequest: requireSecret(deps.internalSecret),
      schema: {
        operationId: 'setAccountPlan',
        summary: 'Change the plan of an account',
        description: 'For operators. Access tokens carry the new plan from the next refresh on.',
        tags: ['Plans'],
        security: [{ internalSecret: [] }],
        params: IdParams,
        body: SetPlanBody,
        response: { 200: AccountPlan, ...errorResponses(404, 422, 'secret-wrong') },
      },
    },
    async (request) => {
      const { id } = request.params;
      const { plan } = request.body;
      const nowMs = deps.clockMs();
      const origin = originOf(request);
      await deps.database.transaction(origin, async (tx) => {
        if (!(await setPlan(tx, { accountId: id, plan, nowMs }))) {
          throw notFound('Account');
        }
        await deps.audit.record(tx, {
          kind: 'plan.changed',
          accountId: id,
          origin,
          data: { plan },
        });
      });
      return { id, plan };
    },
  );
}

function requireSecret(secret: string): onRequestHookHandler {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  const expected = digest(secret);
  return (request, _reply, done) => {
    const given = request.headers['x-internal-secret'];
    // Digests have equal lengths, which a comparison in constant time needs.
    const isCorrect = timingSafeEqual(digest(typeof given === 'string' ? given : ''), expected);
    done(
      isCorrect ? undefined : new HttpError('secret-wrong', 'Internal secret is missing or wrong'),
    );
  };
}
