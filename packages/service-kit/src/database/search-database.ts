import { type Database, openDatabase } from './database.ts';

const CONNECTIONS_MAX = 4;
const STATEMENT_TIMEOUT_MS = 1000;

/**
 * The only connections that the searches of a service use: however slow they get, what else the service
 * does is not. At most 4, and a statement takes at most 1 s.
 */
export function openSearchDatabase({
  service,
  ...options
}: Omit<Parameters<typeof openDatabase>[0], 'applicationName'> & { service: string }): Database {
  return openDatabase({
    ...options,
    applicationName: `${service}-search`,
    max: CONNECTIONS_MAX,
    statementTimeoutMs: STATEMENT_TIMEOUT_MS,
  });
}
