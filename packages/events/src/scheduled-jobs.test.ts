import { randomUUID } from 'node:crypto';
import { startOutage } from '@atrium/testkit/outage';
import { testRedis } from '@atrium/testkit/redis';
import { until } from '@atrium/testkit/until';
import { Redis } from 'ioredis';
import { expect, test } from 'vitest';
import { silent, uniqueLocation } from './outbox.fixture.ts';
import { type ScheduledJob, startScheduledJobs } from './scheduled-jobs.ts';

const HOUR_MS = 3_600_000;

function start(location: ReturnType<typeof uniqueLocation>, job: ScheduledJob) {
  return startScheduledJobs({ queue: 'jobs', jobs: { job }, ...location, logger: silent });
}

test('runs a job at once and again after each interval', async () => {
  let runs = 0;
  await using _jobs = start(uniqueLocation(), { everyMs: 200, run: async () => void runs++ });
  await until(() => runs >= 3);
});

test('shares the runs of one interval between two processes', async () => {
  const location = uniqueLocation();
  const runs: string[] = [];
  const job = (name: string) => ({ everyMs: HOUR_MS, run: async () => void runs.push(name) });
  await using first = start(location, job('first'));
  await using _second = start(location, job('second'));
  await until(() => runs.length === 1);
  await first.runNow('job');
  await until(() => runs.length === 2);
  // Whatever else had been queued would have run before this one.
  await first.runNow('job');
  await until(() => runs.length >= 3);
  expect(runs).toHaveLength(3);
});

test('never runs a job twice at the same time', async () => {
  const location = uniqueLocation();
  let active = 0;
  let mostActive = 0;
  let runs = 0;
  const job = {
    everyMs: 20,
    async run() {
      mostActive = Math.max(mostActive, ++active);
      await new Promise((resolve) => setTimeout(resolve, 50));
      active--;
      runs++;
    },
  };
  await using _first = start(location, job);
  await using _second = start(location, job);
  await until(() => runs >= 6);
  expect(mostActive).toBe(1);
});

test('runs once more when asked to while a run is under way', async () => {
  const release = Promise.withResolvers<void>();
  let runs = 0;
  await using jobs = start(uniqueLocation(), {
    everyMs: HOUR_MS,
    async run() {
      runs++;
      await release.promise;
    },
  });
  await until(() => runs === 1);
  await jobs.runNow('job');
  await jobs.runNow('job');
  expect(runs).toBe(1);
  release.resolve();
  await until(() => runs === 2);
});

test('runs a failed job again when it is next due', async () => {
  const warnings: unknown[] = [];
  let runs = 0;
  await using _jobs = startScheduledJobs({
    queue: 'jobs',
    jobs: {
      job: {
        everyMs: 100,
        async run() {
          if (runs++ === 0) throw new Error('refused');
        },
      },
    },
    ...uniqueLocation(),
    logger: { ...silent, warn: (fields) => void warnings.push(fields) },
  });
  await until(() => runs >= 2);
  expect(warnings).toEqual([{ job: 'job', err: new Error('refused') }]);
});

test('restores its schedule after Redis has lost everything', async () => {
  const location = uniqueLocation();
  await using redis = connect();
  let runs = 0;
  await using _jobs = start(location, { everyMs: 600, run: async () => void runs++ });
  await until(() => runs >= 1);
  const keys = await redis.client.keys(`${location.queuePrefix}*`);
  await redis.client.del(...keys);
  const before = runs;
  await until(() => runs >= before + 2);
});

test('restores its schedule when the connection comes back', async () => {
  const location = uniqueLocation();
  await using outage = await startOutage(location.redisUrl);
  await using redis = connect();
  let runs = 0;
  const job = { everyMs: HOUR_MS, run: async () => void runs++ };
  await using _jobs = start({ ...location, redisUrl: outage.url }, job);
  await until(() => runs === 1);
  await outage.begin();
  const keys = await redis.client.keys(`${location.queuePrefix}*`);
  await redis.client.del(...keys);
  await outage.end();
  await until(() => runs === 2);
});

test('asks and logs now and then while Redis refuses to give it jobs', async () => {
  const location = uniqueLocation();
  await using redis = connect();
  const user = randomUUID();
  // As when its memory is full: it answers, but no script succeeds.
  await redis.client.acl('SETUSER', user, 'on', '>secret', '~*', '&*', '+@all', '-@scripting');
  const url = new URL(location.redisUrl);
  url.username = user;
  url.password = 'secret';
  const lines: string[] = [];
  const startedMs = performance.now();
  await using _jobs = startScheduledJobs({
    queue: 'jobs',
    jobs: { job: { everyMs: HOUR_MS, run: async () => undefined } },
    ...location,
    redisUrl: url.href,
    logger: { ...silent, warn: (_fields, message) => void lines.push(message) },
  });
  await until(async () => {
    const log = (await redis.client.acl('LOG', 100)) as unknown[][];
    const refusals = log.filter((fields) => fields.includes(user));
    return refusals.reduce((sum, [, count]) => sum + Number(count), 0) >= 5;
  });
  expect(performance.now() - startedMs).toBeGreaterThan(900);
  expect(lines.length).toBeLessThan(5);
  await redis.client.acl('DELUSER', user);
});

test('hands a run over to another process when its own stops', async () => {
  const location = uniqueLocation();
  const started = Promise.withResolvers<void>();
  const stopping = start(location, {
    everyMs: HOUR_MS,
    async run(signal) {
      started.resolve();
      await new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason));
      });
    },
  });
  await started.promise;
  let runs = 0;
  await using _other = start(location, { everyMs: HOUR_MS, run: async () => void runs++ });
  await stopping[Symbol.asyncDispose]();
  await until(() => runs === 1);
});

function connect() {
  const client = new Redis(testRedis().url);
  return { client, [Symbol.asyncDispose]: async () => void (await client.quit()) };
}
