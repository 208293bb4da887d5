import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { DatabaseOwner } from './servers.ts';

const SERVICES: Record<DatabaseOwner, string> = {
  auth: 'auth',
  notes: 'notes',
  links: 'links',
  webhooks: 'webhook-dispatcher',
};
const TIMEOUT_MS = 120_000;

/** Creates and migrates the database of a service as its own process does. @throws Error with what it printed */
export async function migrateDatabase(
  owner: DatabaseOwner,
  variables: Record<'DATABASE_URL', string>,
): Promise<void> {
  const entry = new URL(`../../../services/${SERVICES[owner]}/src/migrate.ts`, import.meta.url);
  try {
    await promisify(execFile)(process.execPath, [fileURLToPath(entry)], {
      env: { ...process.env, ...variables },
      timeout: TIMEOUT_MS,
    });
  } catch (error) {
    const said = error instanceof Error && 'stdout' in error ? String(error.stdout) : '';
    throw new Error(`${String(error)}${said}`, { cause: error });
  }
}
