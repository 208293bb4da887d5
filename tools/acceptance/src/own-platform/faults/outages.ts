import { until } from '@atrium/testkit/until';
import { describe, expect, test } from 'vitest';
import { PASSWORD } from '../../accounts.ts';
import { call } from '../../client.ts';
import { environment } from './environment.ts';

const { platform, postgres, redis, owner } = environment;

const services = () => {
  const { auth, notes, webhooks, links } = platform.urls;
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
  const { auth, notes, webhooks, links } = platform.urls;
  const token = owner.accessToken;
  const urls = [`${notes}/api/workspaces`, `${webhooks}/api/webhooks`, `${links}/api/links`];
  return [
    await call('POST', `${auth}/auth/login`, { body: { email: owner.email, password: PASSWORD } }),
    ...(await Promise.all(urls.map((url) => call('GET', url, { token })))),
  ];
}

async function expectRecovery(): Promise<void> {
  await expectAll('/readyz', 200);
  const statuses = (await databaseRequests()).map((response) => response.status);
  expect(statuses).toEqual([200, 200, 200, 200]);
  expect(platform.processes.every((child) => child.running)).toBe(true);
}

describe('while Postgres is stopped', () => {
  test('services are alive, not ready, return 503, and recover after its restart', async () => {
    await postgres.stop('SIGINT');
    await expectAll('/livez', 200);
    await expectAll('/readyz', 503);
    for (const { status, body } of await databaseRequests()) {
      expect(status).toBe(503);
      expect(body).toEqual({ error: 'Service Unavailable', message: expect.any(String) });
    }
    await postgres.start();
    await expectRecovery();
  });
});

describe('while Redis is stopped', () => {
  test('services are alive, not ready, allow logins, and recover after its restart', async () => {
    await redis.stop('SIGTERM');
    await expectAll('/livez', 200);
    await expectAll('/readyz', 503);
    const statuses = (await databaseRequests()).map((response) => response.status);
    expect(statuses).toEqual([200, 200, 200, 200]);
    await redis.start();
    await expectRecovery();
  });
});
