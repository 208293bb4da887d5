import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createPerson, logIn } from '../accounts.ts';
import { startAtrium } from '../atrium.ts';
import { CHAOS_SETTINGS } from '../chaos/chaos-environment.ts';
import { type FaultResult, runFault } from '../chaos/run-fault.ts';
import type { Scenario } from './scenario.ts';

export interface ScenarioResult extends FaultResult {
  mayLose: string | undefined;
  logLines: readonly string[];
}

/** Starts the servers and a platform on them, and causes `count` events while the fault happens. */
export async function runScenario(
  { name, title, mayLose, prepare }: Scenario,
  count: number,
  signal: AbortSignal,
): Promise<ScenarioResult> {
  await using stack = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'atrium-deployment-'));
  stack.defer(() => rm(folder, { recursive: true, force: true }));
  // Postgres runs as another user.
  await chmod(folder, 0o711);
  const { fault, ...urls } = await prepare(stack, folder);
  signal.throwIfAborted();
  const atrium = stack.use(
    await startAtrium({
      ...CHAOS_SETTINGS,
      ...(urls.databaseUrl !== undefined && { DATABASE_URL: urls.databaseUrl }),
      ...(urls.directDatabaseUrl !== undefined && {
        DIRECT_DATABASE_URL: urls.directDatabaseUrl,
      }),
      ...(urls.redisUrl !== undefined && { REDIS_URL: urls.redisUrl }),
    }),
  );
  const owner = await createPerson(atrium.urls.auth, atrium.mailbox, 'ada');
  const environment = {
    platform: atrium.platform,
    owner,
    async renewToken() {
      Object.assign(owner, await logIn(atrium.urls.auth, owner));
    },
  };
  const result = await runFault(environment, { name, title, ...fault }, count, signal);
  return { ...result, mayLose, logLines: await atrium.logLines() };
}
