import { inject } from 'vitest';

/** A service with a database of its own; `webhooks` is the webhook dispatcher. */
export type DatabaseOwner = 'auth' | 'notes' | 'links' | 'webhooks';

/** A migrated database to clone, or why there is none. */
export type Template = { database: string } | { fault: string };

/** What global-setup started, once for all test files. */
export interface TestServers {
  /** Address of a database that always exists, for CREATE DATABASE. */
  postgresUrl: string;
  redisUrl: string;
  /** Begins the name of everything that this run leaves on the servers. */
  runId: string;
  templates: Record<DatabaseOwner, Template>;
}

declare module 'vitest' {
  interface ProvidedContext {
    testServers: TestServers;
  }
}

/** The servers of this test run. */
export function testServers(): TestServers {
  return inject('testServers');
}
