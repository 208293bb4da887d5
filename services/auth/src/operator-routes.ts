import type { Server } from '@atrium/service-kit/server';
import { accountImportRoutes } from './account-import/files/routes.ts';
import { operatorRoutes } from './operator/routes.ts';

type OperatorRoutesDeps = Parameters<typeof operatorRoutes>[1] &
  Parameters<typeof accountImportRoutes>[1];

/** What operators do to accounts, and the accounts that they import. */
export async function allOperatorRoutes(server: Server, deps: OperatorRoutesDeps): Promise<void> {
  await server.register(operatorRoutes, deps);
  await server.register(accountImportRoutes, deps);
}
