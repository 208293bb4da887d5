import { randomBytes } from 'node:crypto';
import { databaseUrl } from '@atrium/local-stack/servers';
import { withClient } from './connection.ts';
import { type DatabaseOwner, testServers } from './servers.ts';

export interface TestDatabase extends AsyncDisposable {
  url: string;
}

/** Two clones at once would be two connections to a template, which Postgres refuses. */
const CLONE_LOCK = 7_061_984;

/** A migrated database of its own for a test file, dropped at disposal. */
export async function createTestDatabase(owner: DatabaseOwner): Promise<TestDatabase> {
  const template = testServers().templates[owner];
  if ('fault' in template) {
    throw new Error(`The database of ${owner} could not be migrated: ${template.fault}`);
  }
  return createDatabase(template.database);
}

/** A database with nothing in it, dropped at disposal. */
export async function createEmptyDatabase(): Promise<TestDatabase> {
  return createDatabase('template0');
}

async function createDatabase(template: string): Promise<TestDatabase> {
  const { postgresUrl, runId } = testServers();
  const name = `atrium_${runId}_${randomBytes(6).toString('hex')}`;
  await withClient(postgresUrl, async (client) => {
    await client.query('SELECT pg_advisory_lock($1)', [CLONE_LOCK]);
    await client.query(`CREATE DATABASE ${name} TEMPLATE ${template} ENCODING 'UTF8'`);
  });
  return {
    url: databaseUrl(postgresUrl, name),
    async [Symbol.asyncDispose]() {
      await withClient(postgresUrl, (client) =>
        client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`),
      );
    },
  };
}
