import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type LocalServer, startPostgres, startRedis } from '@atrium/local-stack/servers';
import { until } from '@atrium/testkit/until';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createPerson, PASSWORD, type Person } from '../accounts.ts';
import { type OwnAtrium, startAtrium } from '../atrium.ts';
import { call } from '../client.ts';

let dataDir: string;
let postgres: LocalServer;
let redis: LocalServer;
let atrium: OwnAtrium;
let ada: Person;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'atrium-outages-'));
  postgres = await startPostgres({ dataDir: join(dataDir, 'postgres') });
  redis = await startRedis({ dataDir: join(dataDir, 'redis') });
  atrium = await startAtrium({ DATABASE_URL: postgres.url, REDIS_URL: redis.url });
  ada = await createPerson(atrium.urls.auth, atrium.mailbox, 'ada');
}, 180_000);

afterAll(async () => {
  await atrium[Symbol.asyncDispose]();
  await Promise.all([postgres.stop(), redis.stop()]);
  await rm(dataDir, { recursive: true, force: true });
});

const services = () => {
  const { auth, notes, webhooks, links } = atrium.urls;
  return { auth, notes, webhooks, links };
};

async function expectAll(path: string, status: number): Promise<void> {
  for (const [name, url] of Object.entries(services())) {
    const response = await until(async () => {
      const received = await call('GET', `${url}${path}`);
      return received.status === status ? received : undefined;
    });
    if (status >= 400) {
      expect([name, response.body]).toEqual([
        name,
        { error: 'Service Unavailable', message: expect.any(String) },
      ]);
    }
  }
}

/** One request to each service that requires its database. */
async function databaseRequests(): Promise<{ status: number; body: Record<string, unknown> }[]> {
  const { auth, notes, webhooks, links } = atrium.urls;
  const token = ada.accessToken;
  const urls = [`${notes}/api/workspaces`, `${webhooks}/api/webhooks`, `${links}/api/links`];
  return [
    await call('POST', `${auth}/auth/login`, { body: { email: ada.email, password: PASSWORD } }),
    ...(await Promise.all(urls.map((url) => call('GET', url, { token })))),
  ];
}

async function expectRecovery(): Promise<void> {
  await expectAll('/readyz', 200);
  const statuses = (await databaseRequests()).map((response) => response.status);
  expect(statuses).toEqual([200, 200, 200, 200]);
  expect(atrium.platform.processes.every((child) => child.running)).toBe(true);
}

describe('while Postgres is stopped', () => {
  test('services are alive, not ready, return 503, and recover after its restart', async () => {
    await postgres.stop();
    await expectAll('/livez', 200);
    await expectAll('/readyz', 503);
    for (const { status, body } of await databaseRequests()) {
      expect(status).toBe(503);
      expect(body).toEqual({ error: 'Service Unavailable', message: expect.any(String) });
    }
    postgres = await startPostgres({
      dataDir: join(dataDir, 'postgres'),
      port: Number(new URL(postgres.url).port),
    });
    await expectRecovery();
  }, 180_000);
});

describe('while Redis is stopped', () => {
  test('services are alive, not ready, allow logins, and recover after its restart', async () => {
    await redis.stop();
    await expectAll('/livez', 200);
    await expectAll('/readyz', 503);
    const statuses = (await databaseRequests()).map((response) => response.status);
    expect(statuses).toEqual([200, 200, 200, 200]);
    redis = await startRedis({
      dataDir: join(dataDir, 'redis'),
      port: Number(new URL(redis.url).port),
    });
    await expectRecovery();
  }, 180_000);
});
