import { type Database, openDatabase } from '@atrium/service-kit/database';

const CONNECTIONS_MAX = 4;
const STATEMENT_TIMEOUT_MS = 1000;

/** The only connections that searches use: however slow they get, writes and readiness are not. */
export function openSearchDatabase(
  options: Omit<Parameters<typeof openDatabase>[0], 'applicationName'>,
): Database {
  return openDatabase({
    ...options,
    applicationName: 'notes-search',
    max: CONNECTIONS_MAX,
    statementTimeoutMs: STATEMENT_TIMEOUT_MS,
  });
}
