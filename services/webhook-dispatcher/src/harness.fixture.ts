import { randomBytes } from 'node:crypto';
import type { EventEnvelope } from '@atrium/contracts/events';
import { newId } from '@atrium/contracts/ids';
import { EVENTS_QUEUE, type EventBatch } from '@atrium/contracts/queues';
import type { DeliveryDetail } from '@atrium/contracts/webhooks/deliveries';
import { openQueue } from '@atrium/events/queue';
import { createAuthenticator, createKeySet } from '@atrium/service-kit/authentication';
import { readConfig } from '@atrium/service-kit/config';
import { createLogger } from '@atrium/service-kit/logger';
import { createRateLimiter } from '@atrium/service-kit/rate-limit';
import { openRedis } from '@atrium/service-kit/redis';
import { createTestDatabase } from '@atrium/testkit/database';
import type { ReplicatedDatabase } from '@atrium/testkit/standby';
import { TEST_TIMEOUTS } from '@atrium/testkit/timeouts';
import { testRedis } from '@atrium/testkit/redis';
import { startTokenIssuer } from '@atrium/testkit/tokens';
import { until } from '@atrium/testkit/until';
import type { WebhooksDeps } from './app.ts';
import { WebhooksConfig, WorkerConfig } from './config.ts';
import { createMatchers } from './filters/matchers.ts';
import { type IngestDeps, ingestBatch } from './ingestion/ingest.ts';
import { createHeldDeliveriesStore } from './ingestion/held-deliveries-store.ts';
import { createIngestionStore } from './ingestion/store.ts';
import { openDeliveryWorker } from './open-delivery-worker.ts';
import { openWebhooks } from './open-webhooks.ts';

export const CRON_SECRET = 'a cron secret for tests';

export interface Call {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  body?: object;
  token?: string;
  headers?: Record<string, string>;
}

/** The API as its process opens it and workers as theirs do, on a database and queues of its own. */
export async function startHarness({
  addressQueries,
  replicated,
}: Pick<WebhooksDeps, 'addressQueries'> & { replicated?: ReplicatedDatabase } = {}) {
  const stack = new AsyncDisposableStack();
  const databaseUrl = replicated?.url ?? stack.use(await createTestDatabase('webhooks')).url;
  const { url: redisUrl, queuePrefix } = testRedis();
  const issuer = stack.use(await startTokenIssuer());
  const logger = createLogger({ service: 'test', level: 'silent' });
  const { client: redis } = stack.use(await openRedis({ url: redisUrl, logger, ...TEST_TIMEOUTS }));
  const { queue } = stack.use(
    openQueue<EventBatch>(EVENTS_QUEUE, { redisUrl, queuePrefix }, logger),
  );
  await queue.waitUntilReady();
  const environment = {
    PORT: '0',
    METRICS_PORT: '0',
    DATABASE_URL: databaseUrl,
    DATABASE_READ_URL: replicated?.readUrl,
    REDIS_URL: redisUrl,
    QUEUE_PREFIX: queuePrefix,
    AUTH_URL: issuer.origin,
    ATRIUM_VERSION: 'test',
    SECRETS_KEYS: `test:${randomBytes(32).toString('base64')}`,
    WEB_URL: 'https://atrium.example',
    CRON_SECRET,
    WEBHOOK_ALLOW_HTTP: 'true',
    WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
    WEBHOOK_RETRY_DELAYS_MS: '20,20,20,20',
  };
  const context = { stack, env: {}, logger, shutdown: new AbortController().signal };
  // Looked up each time, because a test may freeze it.
  const clockMs = () => Date.now();
  const replaced = { timeouts: TEST_TIMEOUTS, clockMs, ...(addressQueries && { addressQueries }) };
  const revoked = new Set<string>();
  const keySet = createKeySet({ url: issuer.jwksUrl, ...TEST_TIMEOUTS });
  await until(() => keySet.check().then(() => true));
  async function startApi() {
    const webhooks = await openWebhooks(context, readConfig(WebhooksConfig, environment), {
      ...replaced,
      authenticator: createAuthenticator({
        isRevoked: (sessionId) => revoked.has(sessionId),
        exchange: async () => undefined,
        product: 'webhooks',
        keySet,
      }),
      rateLimiter: createRateLimiter({ redis, keyPrefix: queuePrefix, enabled: true, clockMs }),
    });
    stack.defer(() => webhooks.server.close());
    return webhooks;
  }
  const { server: app, database, replica, metrics } = await startApi();

  async function startWorker(changes: Partial<WorkerConfig> = {}): Promise<AsyncDisposable> {
    await using opened = new AsyncDisposableStack();
    const config = { ...readConfig(WorkerConfig, environment), ...changes };
    await openDeliveryWorker({ ...context, stack: opened }, config, replaced);
    return opened.move();
  }

  const accountId = newId('usr');
  const token = issuer.issueToken({ sub: accountId, plan: 'pro' });

  async function call(path: string, options: Call = {}) {
    const response = await app.inject({
      method: options.method ?? 'GET',
      url: path,
      headers: {
        ...(options.token !== '' && { authorization: `Bearer ${options.token ?? token}` }),
        ...options.headers,
      },
      ...(options.body === undefined ? {} : { payload: options.body }),
    });
    return { status: response.statusCode, body: response.body === '' ? null : response.json() };
  }

  const ingestDeps = (): IngestDeps => ({
    store: createIngestionStore(database),
    held: createHeldDeliveriesStore(database),
    accountBacklogMax: 10_000,
    logger,
    clockMs,
    random: Math.random,
    matcherOf: createMatchers(),
    onRejected: () => undefined,
    onUnmatched: () => undefined,
  });

  return {
    ingestDeps,
    revoked,
    redis,
    /** The HTTP side; it does not listen until told to. */
    server: app,
    /** Another replica of the HTTP side. */
    startServer: async () => (await startApi()).server,
    startWorker,
    accountId,
    token,
    issuer,
    databaseUrl,
    database,
    replica,
    metrics,
    queue,
    location: { redisUrl, queuePrefix },
    call,
    async subscribe(
      url: string,
      events: string[] = ['note.shared'],
    ): Promise<{ id: string; secret: string }> {
      const body = { url, events };
      // A busy machine may answer 503, and then nothing was created.
      const created = await until(async () => {
        const answer = await call('/api/webhooks', { method: 'POST', body });
        return answer.status !== 503 && answer;
      });
      return created.body;
    },
    /** Ingests events at once, without a worker. */
    async ingest(events: EventEnvelope[]): Promise<void> {
      await ingestBatch({ events }, ingestDeps());
    },
    async send(events: EventEnvelope[]): Promise<void> {
      // A batch that fails is retried, as the relay would send it again.
      await queue.add(
        'batch',
        { events },
        { attempts: 20, backoff: { type: 'fixed', delay: 100 } },
      );
    },
    event: (data: Record<string, unknown> = { title: 'Grüße' }): EventEnvelope => ({
      id: newId('evt'),
      event: 'note.shared',
      accountId,
      createdAt: new Date().toISOString(),
      data,
    }),
    /** The only delivery of a subscription, in full. */
    async deliveryOf(subscriptionId: string): Promise<DeliveryDetail | undefined> {
      const { body } = await call(`/api/webhooks/${subscriptionId}/deliveries`);
      const id: string | undefined = body.data[0]?.id;
      return id === undefined ? undefined : (await call(`/api/deliveries/${id}`)).body;
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}
