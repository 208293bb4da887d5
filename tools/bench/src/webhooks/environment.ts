import { randomBytes } from 'node:crypto';
import { newId } from '@atrium/contracts/ids';
import { findFreePort } from '@atrium/local-stack/ports';
import { databaseUrl } from '@atrium/local-stack/servers';
import { type KeyRing, parseKeyRing } from '@atrium/service-kit/key-ring';
import pg from 'pg';
import { type Child, startChild, startEntry } from '../child.ts';
import { childEnvironment, entryOf, migrate, openServers } from '../platform.ts';
import { receiverOf, type Receiver } from './receiver-report.ts';

/** Queue keys of the benchmarks, apart from any other use of the Redis. */
export const QUEUE_PREFIX = '{bench}';

/** What every webhook benchmark runs on: durable servers, the two databases, a receiver. */
export interface Environment extends AsyncDisposable {
  webhooks: pg.Pool;
  linksUrl: string;
  redisUrl: string;
  receiver: Receiver;
  serverPids: { postgres: number; redis: number };
  /** @param env more than it needs */
  startWorker(env?: Record<string, string>): Promise<Child>;
  /** The links service, listening on `origin` a moment later. */
  startLinks(env?: Record<string, string>): Promise<{ child: Child; origin: string }>;
  /** The API of webhooks, listening on `origin` a moment later. */
  startWebhooks(authUrl: string): Promise<{ child: Child; origin: string }>;
  /** A subscription to go.click of a new account, by default at the receiver. */
  subscribe(url?: string): Promise<Subscription>;
}

export interface Subscription {
  id: string;
  accountId: string;
}

/** Starts it all on 127.0.0.1, in a folder that goes again with it. */
export async function openEnvironment(): Promise<Environment> {
  await using started = new AsyncDisposableStack();
  const { postgres, redis } = started.use(await openServers());
  const urls = {
    webhooks: databaseUrl(postgres.url, 'bench_webhooks'),
    links: databaseUrl(postgres.url, 'bench_links'),
  };
  await migrate('webhook-dispatcher', urls.webhooks);
  await migrate('links', urls.links);
  const webhooks = new pg.Pool({ connectionString: urls.webhooks, max: 4 });
  started.defer(() => webhooks.end());
  const receiver = started.use(await receiverOf(startChild('webhooks/receiver.ts')));
  const secretsKey = `bench:${randomBytes(32).toString('base64')}`;
  const keyRing = parseKeyRing([secretsKey]);

  const common = async (databaseUrl: string) => ({
    ...childEnvironment(),
    DATABASE_URL: databaseUrl,
    REDIS_URL: redis.url,
    METRICS_PORT: String(await findFreePort()),
    LOG_LEVEL: 'warn',
    QUEUE_PREFIX,
  });
  const stack = started.move();
  return {
    webhooks,
    linksUrl: urls.links,
    redisUrl: redis.url,
    receiver,
    serverPids: { postgres: postgres.pid, redis: redis.pid },
    subscribe: (url = '/') => subscribe(webhooks, keyRing, new URL(url, receiver.origin).href),
    async startWorker(env = {}) {
      return startEntry(entryOf('worker', 'worker.ts'), {
        ...(await common(urls.webhooks)),
        SECRETS_KEYS: secretsKey,
        WEBHOOK_ALLOW_HTTP: 'true',
        WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
        ...env,
      });
    },
    async startWebhooks(authUrl) {
      const port = await findFreePort();
      const child = startEntry(entryOf('webhook-dispatcher', 'main.ts'), {
        ...(await common(urls.webhooks)),
        PORT: String(port),
        AUTH_URL: authUrl,
        RATE_LIMITS: 'off',
        SECRETS_KEYS: secretsKey,
        WEB_URL: 'http://127.0.0.1:4000',
        CRON_SECRET: randomBytes(16).toString('hex'),
      });
      return { child, origin: `http://127.0.0.1:${port}` };
    },
    async startLinks(env = {}) {
      const port = await findFreePort();
      const origin = `http://127.0.0.1:${port}`;
      const child = startEntry(entryOf('links', 'main.ts'), {
        ...(await common(urls.links)),
        PORT: String(port),
        LINKS_URL: origin,
        // Redirects need no auth.
        AUTH_URL: 'http://127.0.0.1:9',
        ...env,
      });
      return { child, origin };
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

async function subscribe(pool: pg.Pool, keyRing: KeyRing, url: string): Promise<Subscription> {
  const id = newId('whk');
  const accountId = newId('usr');
  const secret = `whsec_${randomBytes(32).toString('base64')}`;
  await pool.query(
    `INSERT INTO subscriptions (id, account_id, url, events, sealed_secret)
     VALUES ($1, $2, $3, '{go.click}', $4)`,
    [id, accountId, url, keyRing.encrypt(secret, id)],
  );
  return { id, accountId };
}
