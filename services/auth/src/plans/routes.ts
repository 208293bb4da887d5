import { createHash, timingSafeEqual } from 'node:crypto';
import { AccountPlan, SetPlanBody } from '@atrium/contracts/auth';
import { errorResponses } from '@atrium/contracts/errors';
import { IdParams } from '@atrium/contracts/ids';
import type { Database } from '@atrium/service-kit/database';
import { notFound, unauthorized } from '@atrium/service-kit/http-error';
import type { Server } from '@atrium/service-kit/server';
import type { onRequestHookHandler } from 'fastify';
import { originOf } from '../audit/origin.ts';
import type { RecordAudit } from '../audit/record.ts';
import { setPlan } from './store.ts';

interface PlanRoutesDeps {
  database: Database;
  recordAudit: RecordAudit;
  internalSecret: string;
  clockMs: () => number;
}

/** The operator's side; access tokens carry the new plan from the next refresh on. */
export function planRoutes(server: Server, deps: PlanRoutesDeps): void {
  server.put(
    '/internal/accounts/:id/plan',
    {
      onRequest: requireSecret(deps.internalSecret),
      schema: {
        summary: 'Change the plan of an account',
        tags: ['internal'],
        security: [{ internalSecret: [] }],
        params: IdParams,
        body: SetPlanBody,
        response: { 200: AccountPlan, ...errorResponses(401, 404, 422) },
      },
    },
    async (request) => {
      const { id } = request.params;
      const { plan } = request.body;
      const nowMs = deps.clockMs();
      await deps.database.transaction(async (tx) => {
        if (!(await setPlan(tx, { accountId: id, plan, nowMs }))) {
          throw notFound('Account');
        }
        const origin = originOf(request);
        const kind = 'plan.changed';
        await deps.recordAudit(tx, { kind, accountId: id, origin, data: { plan }, nowMs });
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
    // Digests have one length whatever was sent, so the comparison takes the same time.
    const isRight = timingSafeEqual(digest(typeof given === 'string' ? given : ''), expected);
    done(isRight ? undefined : unauthorized('Internal secret is missing or wrong'));
  };
}
