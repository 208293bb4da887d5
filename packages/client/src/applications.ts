import { APPLICATIONS_ROUTES, type ApplicationsApi } from './api/applications.ts';
import type { Atrium } from './index.ts';

export type { ApplicationsApi } from './api/applications.ts';

/**
 * For the pages of those who register applications, and of those who log in to them.
 * @example
 * const { listGrants } = createApplications(atrium);
 * for await (const { application } of listGrants()) console.log(application.name);
 */
export function createApplications({ callsOf }: Atrium): ApplicationsApi {
  return callsOf('auth', APPLICATIONS_ROUTES);
}
