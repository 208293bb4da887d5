import { inspect } from 'node:util';
import { listen } from '@atrium/testkit/http-listener';
import type { TestProject } from 'vitest/node';
import { registrationInput } from './accounts.ts';
import { type OwnAtrium, startAtrium } from './atrium.ts';
import { OPERATOR, type SharedAtrium } from './shared-atrium.fixture.ts';

/**
 * The platform of all tests that share it. It starts with the first of them, since it takes processor time
 * even while nobody uses it. After all tests it is stopped, and a process of it that has ended by itself is
 * a failure. `pnpm test:deployments --test` gives it other servers.
 *
 * @public Vitest calls it.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const servers = JSON.parse(process.env['SHARED_PLATFORM'] ?? '{}') as Record<string, string>;
  const env = { ...servers, OPERATOR_EMAILS: registrationInput(OPERATOR).email };
  let starting: Promise<OwnAtrium> | undefined;
  const answer = (shared: SharedAtrium) => JSON.stringify(shared);
  const door = await listen((_request, response) => {
    starting ??= startAtrium(env);
    void starting
      .then(
        ({ addresses }) => answer({ addresses }),
        // Fails the tests that need it, and only those.
        (error: unknown) => answer({ fault: inspect(error) }),
      )
      .then((body) => response.end(body));
  });
  project.provide('sharedAtriumUrl', door.url);
  return async () => {
    await door[Symbol.asyncDispose]();
    const atrium = await starting?.catch(() => undefined);
    if (atrium === undefined) return;
    const ended = atrium.platform.processes.filter(({ running }) => !running);
    await atrium[Symbol.asyncDispose]();
    if (ended.length > 0) {
      throw new Error(`Ended by itself: ${ended.map(({ name }) => name).join(', ')}`);
    }
  };
}
