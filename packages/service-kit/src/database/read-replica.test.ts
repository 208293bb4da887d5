import { Writable } from 'node:stream';
import { startOutage } from '@atrium/testkit/outage';
import { testRedis } from '@atrium/testkit/redis';
import {
  createReplicatedDatabase,
  readResults,
  type ReplicatedDatabase,
  untilStandbyAnswers,
} from '@atrium/testkit/standby';
import { TEST_TIMEOUTS } from '@atrium/testkit/timeouts';
import { until } from '@atrium/testkit/until';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { badRequest } from '../http-error.ts';
import { createLogger } from '../logger.ts';
import { createMetrics, type Metrics } from '../metrics.ts';
import { openRedis } from '../redis.ts';
import { type Database, openDatabase } from './database.ts';
import { openReadReplica, type ReadReplica, type ReplicaTimeouts } from './read-replica.ts';

let replicated: ReplicatedDatabase;
let primary: Database;

beforeAll(async () => {
  replicated = await createReplicatedDatabase();
  primary = openDatabase({ url: replicated.url, applicationName: 'kit-test' });
  await primary.query('CREATE TABLE things (id int)');
});

afterAll(async () => {
  await primary?.[Symbol.asyncDispose]();
  await replicated?.[Symbol.asyncDispose]();
});

beforeEach(async () => {
  await primary.query('TRUNCATE things');
  await replicated.resumeReplay();
});

const noPrisma = () => ({
  $transaction: () => Promise.reject(),
  $disconnect: async () => undefined,
});

interface TestReplica extends AsyncDisposable, ReadReplica {
  logs: string[];
  /** How many things an account sees. */
  countFor(accountId: string): Promise<number>;
  metrics: Metrics;
  results(): Promise<Record<string, number>>;
}

/** What a process of a service opens. Processes with the same prefix are of one service. */
async function openReplica({
  queuePrefix = testRedis().queuePrefix,
  redisUrl = testRedis().url,
  url = replicated.readUrl,
  timeouts,
}: {
  queuePrefix?: string;
  redisUrl?: string;
  url?: string | undefined;
  timeouts?: ReplicaTimeouts;
} = {}): Promise<TestReplica> {
  await using stack = new AsyncDisposableStack();
  const logs: string[] = [];
  const destination = new Writable({
    write(chunk: Buffer, _encoding, done) {
      logs.push(chunk.toString());
      done();
    },
  });
  const logger = createLogger({ service: 'test', level: 'info', destination });
  const redis = stack.use(await openRedis({ url: redisUrl, ...TEST_TIMEOUTS }));
  const metrics = createMetrics();
  const replica = await openReadReplica(
    { stack, logger },
    {
      url,
      database: primary as Database<ReturnType<typeof noPrisma>>,
      probe: primary,
      createPrisma: noPrisma,
      name: 'test',
      redis,
      queuePrefix,
      metrics,
      timeouts: { ...TEST_TIMEOUTS, ...timeouts },
    },
  );
  const kept = stack.move();
  return {
    ...replica,
    logs,
    countFor: (accountId) =>
      replica.read(accountId, async (reads) => {
        const [row] = await reads.query<{ count: number }>('SELECT count(*)::int FROM things');
        return row?.count ?? 0;
      }),
    metrics,
    results: () => readResults(metrics),
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

const insert = () => primary.query('INSERT INTO things VALUES (1)');

const untilUsed = (replica: TestReplica, accountId = 'nobody') =>
  untilStandbyAnswers(replica.metrics, () => replica.countFor(accountId));

describe('a read that may be old', () => {
  it('is answered by the standby, but not to an account that has changed something since', async () => {
    const { queuePrefix } = testRedis();
    await using replica = await openReplica({ queuePrefix });
    await using other = await openReplica({ queuePrefix });
    await Promise.all([untilUsed(replica), untilUsed(other)]);
    await replicated.pauseReplay();
    await insert();
    await replica.onChange?.('ada');
    expect(await replica.countFor('ben')).toBe(0);
    for (const process of [replica, other]) expect(await process.countFor('ada')).toBe(1);
    await replicated.resumeReplay();
    expect(await untilUsed(other, 'ada')).toBe(1);
  });

  it('is answered by the primary while the standby is away', async () => {
    await using replica = await openReplica();
    await untilUsed(replica);
    await replicated.pauseReplay();
    await insert();
    await replicated.outage.begin();
    expect(await replica.countFor('ada')).toBe(1);
    expect(await replica.results()).toMatchObject({ failed: 1 });
    const logged = () =>
      replica.logs.filter((line) => line.includes('the primary answers all reads'));
    await until(() => logged().length > 0);
    expect(await replica.countFor('ada')).toBe(1);
    expect(await replica.results()).toMatchObject({ behind: expect.any(Number) });
    expect(logged()).toHaveLength(1);
    // What the alert StandbyNotRead looks at.
    expect(await replica.metrics.metrics()).toContain('replica_lag_seconds +Inf');
    await replicated.outage.end();
    await replicated.resumeReplay();
    await until(() => replica.logs.some((line) => line.includes('answers reads again')));
    await untilUsed(replica);
  });

  it('is answered by the primary when the standby does not answer in time', async () => {
    await using replica = await openReplica({ timeouts: { readTimeoutMs: 500 } });
    await untilUsed(replica);
    await replicated.pauseReplay();
    await insert();
    replicated.outage.freeze();
    expect(await replica.countFor('ada')).toBe(1);
    await replicated.outage.begin();
    await replicated.outage.end();
  });

  it('is answered by the primary when all its statements together take too long', async () => {
    await using replica = await openReplica({ timeouts: { readTimeoutMs: 1_000 } });
    await untilUsed(replica);
    // On a busy machine, reads before may have failed too.
    const { standby, failed = 0 } = await replica.results();
    await replica.read('ada', async (reads) => {
      for (let times = 0; times < 3; times += 1) await reads.query('SELECT pg_sleep(0.4)');
    });
    expect(await replica.results()).toMatchObject({ failed: failed + 1, standby });
  });

  it('is answered by the primary when the standby is too far behind', async () => {
    await using replica = await openReplica({ timeouts: { maxLagMs: 3_000 } });
    await untilUsed(replica);
    await replicated.pauseReplay();
    await insert();
    await until(async () => (await replica.countFor('ada')) === 1);
    expect(await replica.results()).toMatchObject({ behind: expect.any(Number) });
    await until(() => replica.logs.length > 0);
    expect(replica.logs[0]).toContain('the standby is away or behind');
  });

  it('is answered by the primary while Redis cannot say who has changed something', async () => {
    await using outage = await startOutage(testRedis().url);
    await using replica = await openReplica({ redisUrl: outage.url });
    await untilUsed(replica);
    await replicated.pauseReplay();
    await insert();
    await outage.begin();
    expect(await replica.countFor('ada')).toBe(1);
    await outage.end();
    await replica.onChange?.('ben');
    // What Redis has lost meanwhile is not known.
    expect(await replica.countFor('ada')).toBe(1);
    await replicated.resumeReplay();
    expect(await untilUsed(replica, 'ada')).toBe(1);
  });

  it('is answered by the primary when the URL is that of no standby', async () => {
    await using replica = await openReplica({ url: replicated.url });
    expect(await replica.countFor('ada')).toBe(0);
    expect(await replica.results()).toEqual({ behind: 1 });
    expect(replica.logs[0]).toContain('is not the URL of a standby');
  });

  it('is answered once when it is the request that is wrong', async () => {
    await using replica = await openReplica();
    await untilUsed(replica);
    let times = 0;
    const read = replica.read('ada', async () => {
      times += 1;
      throw badRequest('The cursor is not valid');
    });
    await expect(read).rejects.toThrow('The cursor is not valid');
    expect(times).toBe(1);
    expect(replica.logs).toEqual([]);
  });
});
