import { inspect } from 'node:util';
import type { TestProject } from 'vitest/node';
import { registrationInput } from './accounts.ts';
import { startAtrium } from './atrium.ts';
import { OPERATOR } from './shared-atrium.fixture.ts';

/**
 * Before all tests that share it: the platform. Afterwards it is stopped, and a process of it that has
 * ended by itself is a failure. `pnpm test:deployments --test` gives it other servers.
 *
 * @public Vitest calls it.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const servers = JSON.parse(process.env['SHARED_PLATFORM'] ?? '{}') as Record<string, string>;
  const starting = startAtrium({
    ...servers,
    OPERATOR_EMAILS: registrationInput(OPERATOR).email,
  });
  const atrium = await starting.catch((error: unknown) => {
    // Fails the tests that need it, and only those.
    project.provide('sharedAtrium', { fault: inspect(error) });
    return undefined;
  });
  if (atrium === undefined) return async () => undefined;
  project.provide('sharedAtrium', { addresses: atrium.addresses });
  return async () => {
    const ended = atrium.platform.processes.filter(({ running }) => !running);
    await atrium[Symbol.asyncDispose]();
    if (ended.length > 0) {
      throw new Error(`Ended by itself: ${ended.map(({ name }) => name).join(', ')}`);
    }
  };
}
