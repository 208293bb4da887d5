import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { findFreePort } from '@atrium/local-stack/ports';
import { databaseUrl } from '@atrium/local-stack/servers';
import pg from 'pg';
import { request } from 'undici';
import { type Child, startEntry } from '../child.ts';
import { childEnvironment, entryOf, migrate, openServers } from '../platform.ts';
import { refreshTokenOf } from './seed.ts';

const READY_MS = 30_000;

/** Durable servers with the database of auth. */
export interface Environment extends AsyncDisposable {
  pool: pg.Pool;
  /** The URL of the database. */
  url: string;
  postgresPid: number;
  startAuth(): Promise<Auth>;
}

/** The service itself, as it runs in production but for its rate limits. */
export interface Auth extends AsyncDisposable {
  origin: string;
  pid: number;
}

export async function openEnvironment(): Promise<Environment> {
  await using started = new AsyncDisposableStack();
  const servers = started.use(await openServers());
  const url = databaseUrl(servers.postgres.url, 'bench_auth');
  await migrate('auth', url);
  const pool = new pg.Pool({ connectionString: url, max: 2 });
  started.defer(() => pool.end());
  const secrets = {
    SECRETS_KEYS: `bench:${randomBytes(32).toString('base64')}`,
    MESSAGE_KEYS: `bench:${randomBytes(32).toString('base64')}`,
    INTERNAL_SECRET: randomBytes(16).toString('hex'),
  };
  const stack = started.move();
  return {
    pool,
    url,
    postgresPid: servers.postgres.pid,
    async startAuth() {
      const port = await findFreePort();
      const origin = `http://127.0.0.1:${port}`;
      const child = startEntry(entryOf('auth', 'main.ts'), {
        ...childEnvironment(),
        ...secrets,
        PORT: String(port),
        METRICS_PORT: String(await findFreePort()),
        DATABASE_URL: url,
        REDIS_URL: servers.redis.url,
        QUEUE_PREFIX: '{bench-auth}',
        AUTH_URL: origin,
        WEB_URL: 'http://localhost',
        MAIL_DIR: join(servers.dataDir, 'mail'),
        LOG_LEVEL: 'warn',
        RATE_LIMITS: 'off',
      });
      await untilReady(origin, child);
      const { pid } = child;
      return { origin, pid, [Symbol.asyncDispose]: () => child.stop() };
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

async function untilReady(origin: string, child: Child): Promise<void> {
  const endMs = performance.now() + READY_MS;
  const isReady = async () => {
    const answer = await request(`${origin}/readyz`).catch(() => undefined);
    await answer?.body.dump();
    return answer?.statusCode === 200;
  };
  while (!(await Promise.race([isReady(), child.died]))) {
    if (performance.now() > endMs) throw new Error('auth was not ready in time');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** Access tokens of the first seeded sessions, whose refresh tokens are then used up. */
export async function accessTokens(origin: string, count: number): Promise<string[]> {
  const tokens: string[] = [];
  for (let n = 1; n <= count; n += 1) {
    const answer = await request(`${origin}/auth/refresh`, {
      method: 'POST',
      headers: { cookie: `refreshToken=${refreshTokenOf(n)}` },
    });
    const body: unknown = await answer.body.json();
    if (typeof body !== 'object' || body === null || !('accessToken' in body)) {
      throw new Error(`A refresh answered ${answer.statusCode}`);
    }
    tokens.push(String(body.accessToken));
  }
  return tokens;
}
