import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type LocalServer, startPostgres } from '@atrium/local-stack/servers';
import { openDatabase } from '@atrium/service-kit/database';
import { startReplication } from '@atrium/testkit/standby';
import { until } from '@atrium/testkit/until';
import { logIn, register, uniqueInput } from '../accounts.ts';
import { call } from '../client.ts';
import type { Scenario } from './scenario.ts';
import { startPgBouncer } from './pgbouncer.ts';

const FAULT_MS = 5_000;
const READ_INTERVAL_MS = 100;
/** How far the standby is behind when it does not count for commits. */
const LAG_MS = 1_000;

/** The primary ends as in a crash, its standby is promoted, and PgBouncer sends transactions there. */
export const synchronousStandby: Scenario = {
  name: 'standby',
  title: 'Promotion of a synchronous standby',
  needs: ['pgbouncer'],
  prepare: (stack, folder) => prepareStandby(stack, folder, true),
};

export const asynchronousStandby: Scenario = {
  name: 'asynchronous-standby',
  title: 'Promotion of a standby that is 1 s behind',
  needs: ['pgbouncer'],
  mayLose: 'a commit does not wait for an asynchronous standby',
  prepare: (stack, folder) => prepareStandby(stack, folder, false),
};

/** The standby answers reads that may be old. It ends as in a crash, lists are read without it, and it comes back. */
export const readReplica: Scenario = {
  name: 'read-replica',
  title: 'A standby for reads: killed, and back',
  needs: [],
  async prepare(stack, folder) {
    const { primary, standby } = await startReplication(stack, folder);
    return {
      env: { DATABASE_URL: primary.url, DATABASE_READ_URL: standby.url },
      fault: {
        durationMs: FAULT_MS,
        async inject({ platform: { urls } }, _receiver, signal) {
          // The owner changes something all the time, and is answered by the primary.
          const reader = uniqueInput('reader');
          await register(urls.auth, reader);
          const { accessToken: token } = await logIn(urls.auth, reader);
          process.kill(standby.pid, 'SIGQUIT');
          await standby.exited;
          const backAtMs = Date.now() + FAULT_MS;
          while (Date.now() < backAtMs) {
            const { status } = await call('GET', `${urls.webhooks}/api/deliveries`, { token });
            if (status !== 200)
              throw new Error(`A list was answered ${status} without the standby.`);
            await sleep(READ_INTERVAL_MS, undefined, { signal });
          }
          const dataDir = join(folder, 'standby');
          const restarted = await startPostgres({ dataDir, port: standby.port });
          stack.defer(() => restarted.stop());
        },
      },
    };
  },
};

async function prepareStandby(
  stack: AsyncDisposableStack,
  folder: string,
  isSynchronous: boolean,
): ReturnType<Scenario['prepare']> {
  const { primary, standby, link } = await startReplication(stack, folder, {
    settings: isSynchronous ? { synchronous_standby_names: '*' } : {},
  });
  const pooler = await startPgBouncer(stack, join(folder, 'pgbouncer'), primary.url);
  return {
    env: { DATABASE_URL: pooler.url, DIRECT_DATABASE_URL: primary.url },
    fault: {
      durationMs: FAULT_MS,
      async inject(_environment, _receiver, signal) {
        if (!isSynchronous) {
          await link.begin();
          await sleep(LAG_MS, undefined, { signal });
        }
        // The immediate mode: nothing is written or sent any more.
        process.kill(primary.pid, 'SIGQUIT');
        await primary.exited;
        await promote(standby);
        await pooler.switchTo(standby.port);
      },
    },
  };
}

async function promote({ url }: LocalServer): Promise<void> {
  await using database = openDatabase({ url, applicationName: 'promotion' });
  await database.query('SELECT pg_promote()');
  await until(async () => {
    const [row] = await database.query<{ isStandby: boolean }>(
      'SELECT pg_is_in_recovery() AS "isStandby"',
    );
    return row?.isStandby === false;
  });
}
