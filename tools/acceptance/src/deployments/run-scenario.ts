import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { REPOSITORY_ROOT } from '@atrium/local-stack/process-table';
import { createPerson, logIn } from '../accounts.ts';
import { startAtrium } from '../atrium.ts';
import { CHAOS_SETTINGS } from '../chaos/chaos-environment.ts';
import { type FaultResult, runFault } from '../chaos/run-fault.ts';
import type { Deployment, Scenario } from './scenario.ts';

export interface ScenarioResult extends FaultResult {
  mayLose: string | undefined;
  logLines: readonly string[];
}

/** Starts the servers and a platform on them, and causes `count` events while the fault happens. */
export async function runScenario(
  scenario: Scenario,
  count: number,
  signal: AbortSignal,
): Promise<ScenarioResult> {
  const { name, title, mayLose } = scenario;
  await using stack = new AsyncDisposableStack();
  const { env, fault } = await prepare(stack, scenario);
  signal.throwIfAborted();
  const atrium = stack.use(await startAtrium({ ...CHAOS_SETTINGS, ...env }));
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

/** Runs files of the acceptance tests on a platform with these servers. @returns whether they passed */
export async function runTests(
  scenario: Scenario,
  files: readonly string[],
  signal: AbortSignal,
): Promise<boolean> {
  await using stack = new AsyncDisposableStack();
  const { env } = await prepare(stack, scenario);
  const vitest = join(REPOSITORY_ROOT, 'node_modules', 'vitest', 'vitest.mjs');
  const child = spawn(process.execPath, [vitest, 'run', '--project=shared-platform', ...files], {
    cwd: REPOSITORY_ROOT,
    env: { ...process.env, SHARED_PLATFORM: JSON.stringify(env) },
    stdio: 'inherit',
    signal,
  });
  const [code] = (await once(child, 'exit')) as [number | null];
  return code === 0;
}

async function prepare(stack: AsyncDisposableStack, scenario: Scenario): Promise<Deployment> {
  const folder = await mkdtemp(join(tmpdir(), 'atrium-deployment-'));
  stack.defer(() => rm(folder, { recursive: true, force: true }));
  // Postgres runs as another user.
  await chmod(folder, 0o711);
  return scenario.prepare(stack, folder);
}
