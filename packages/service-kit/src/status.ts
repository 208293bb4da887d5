import { errorResponses } from '@atrium/contracts/errors';
import { ServiceStatus } from '@atrium/contracts/auth/operator';
import { readOutboxLag } from '@atrium/events/outbox-metrics';
import type { Authenticator } from './authentication/authentication.ts';
import type { Database } from './database/database.ts';
import { failedChecks, type ReadyChecks } from './server/health.ts';
import { requireOperator } from './server/protected-routes.ts';
import type { Server } from './server/server.ts';

export interface StatusDeps {
  authenticator: Authenticator;
  version: string;
  ready: ReadyChecks;
  database: Pick<Database, 'pool'>;
}

/**
 * For operators: what this replica runs, whether it is ready, and how far its outbox is behind. The path
 * names the service, so that a gateway with one name for all can tell them apart.
 *
 * @param operationId unique over all services
 */
export async function statusRoute(
  server: Server,
  { service, operationId }: { service: string; operationId: string },
  deps: StatusDeps,
): Promise<void> {
  const startedAt = new Date().toISOString();
  await server.register(async (operator: Server) => {
    requireOperator(operator, deps.authenticator);
    operator.get(
      `/api/operator/services/${service}`,
      {
        schema: {
          operationId,
          summary: 'Get the version, the readiness and the outbox of this service',
          response: { 200: ServiceStatus, ...errorResponses(401, 404) },
        },
      },
      async () => {
        // Without Postgres the outbox is unknown, and the check that fails says why.
        const [failed, outbox] = await Promise.all([
          failedChecks(deps.ready),
          readOutboxLag(deps.database.pool).catch(() => []),
        ]);
        return { service, version: deps.version, startedAt, failing: [...failed.keys()], outbox };
      },
    );
  });
}
