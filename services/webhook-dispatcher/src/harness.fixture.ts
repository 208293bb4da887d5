import { randomBytes } from 'node:crypto';
import type { EventEnvelope, EventName } from '@atrium/contracts/events';
import { newId } from '@atrium/contracts/ids';
import { EVENTS_QUEUE, type EventBatch } from '@atrium/contracts/queues';
import type { DeliveryDetail } from '@atrium/contracts/deliveries';
import { openQueue } from '@atrium/events/queue';
import { openJobRequests } from '@atrium/events/scheduled-jobs';
import { parseKeyRing } from '@atrium/service-kit/key-ring';
import { createAuthenticator, createKeySet } from '@atrium/service-kit/authentication';
import { openDatabase } from '@atrium/service-kit/database';
import { createLogger } from '@atrium/service-kit/logger';
import { createMetrics } from '@atrium/service-kit/metrics';
import { createRateLimiter } from '@atrium/service-kit/rate-limit';
import { openRedis } from '@atrium/service-kit/redis';
import { createTestDatabase } from '@atrium/testkit/database';
import { TEST_TIMEOUTS } from '@atrium/testkit/timeouts';
import { testRedis } from '@atrium/testkit/redis';
import { startTokenIssuer } from '@atrium/testkit/tokens';
import { until } from '@atrium/testkit/until';
import { createPrisma } from './database.ts';
import { buildApp, type WebhooksDeps } from './app.ts';
import { startDeliveryWorker } from './delivery-worker.ts';
import { createChangeLog } from './live/change-log.ts';
import { startChangePublisher } from './live/change-publisher.ts';
import { createRecoveryRequests, RECOVERIES_QUEUE } from './recoveries/recoveries.ts';
import { createAddressGuard } from './sending/address-guard.ts';
import { type IngestDeps, ingestBatch } from './ingestion/ingest.ts';
import { createHeldEventsStore } from './ingestion/held-events-store.ts';
import { createIngestionStore } from './ingestion/store.ts';
import { readThroughput } from './scheduling/throughput.ts';
import { createWorkerWaker } from './scheduling/wake.ts';

export const CRON_SECRET = 'a cron secret for tests';

export interface WorkerOptions {
  delaysMs?: number[];
  requestTimeoutMs?: number;
  concurrency?: number;
  accountBacklogMax?: number;
}

export interface Call {
  method?: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  body?: object;
  token?: string;
  headers?: Record<string, string>;
}

/** The service as main.ts and worker.ts compose it, on a database and queues of its own. */
export async function startHarness({ addressQueries }: Pick<WebhooksDeps, 'addressQueries'> = {}) {
  const stack = new AsyncDisposableStack();
  const { url: databaseUrl } = stack.use(await createTestDatabase('webhooks'));
  const { url: redisUrl, queuePrefix } = testRedis();
  const issuer = stack.use(await startTokenIssuer());
  const logger = createLogger({ service: 'test', level: 'silent' });
  const database = stack.use(
    openDatabase({
      url: databaseUrl,
      applicationName: 'test',
      createPrisma,
      logger,
      ...TEST_TIMEOUTS,
    }),
  );
  const redis = stack.use(await openRedis({ url: redisUrl, logger, ...TEST_TIMEOUTS }));
  const { queue } = stack.use(
    openQueue<EventBatch>(EVENTS_QUEUE, { redisUrl, queuePrefix }, logger),
  );
  await queue.waitUntilReady();
  const recoveryJobs = stack.use(
    openJobRequests(RECOVERIES_QUEUE, { redisUrl, queuePrefix }, logger),
  );
  const keyRing = parseKeyRing([`test:${randomBytes(32).toString('base64')}`]);
  const guard = createAddressGuard(['127.0.0.0/8']);
  const wakeWorkers = createWorkerWaker(redis.client, queuePrefix, logger);
  // Looked up each time, because a test may freeze it.
  const clockMs = () => Date.now();
  const changeLog = createChangeLog({ redis: redis.client, queuePrefix, clockMs });
  const { publish } = stack.use(startChangePublisher(changeLog, logger));
  const revoked = new Set<string>();
  const deps: Omit<WebhooksDeps, 'metrics'> = {
    logger,
    changeLog,
    publishChanges: publish,
    countEventBatches: () => queue.getJobCountByTypes('waiting', 'active'),
    readThroughput: () => readThroughput({ redis: redis.client, queuePrefix }, clockMs()),
    version: 'test',

    database,
    authenticator: createAuthenticator({
      isRevoked: (sessionId) => revoked.has(sessionId),
      keySet: createKeySet({ url: issuer.jwksUrl, ...TEST_TIMEOUTS }),
    }),
    rateLimiter: createRateLimiter({
      redis: redis.client,
      keyPrefix: queuePrefix,
      enabled: true,
      clockMs,
    }),
    keyRing,
    guard,
    ...(addressQueries && { addressQueries }),
    allowHttp: true,
    delaysMs: [20, 20, 20, 20],
    cronSecret: CRON_SECRET,
    wakeWorkers,
    requestRecoveries: createRecoveryRequests(recoveryJobs, logger),
    ready: { postgres: () => database.check(), redis: () => redis.check() },
    corsOrigins: [],
    trustProxy: false,
    clockMs,
  };
  async function startServer() {
    const server = await buildApp({ ...deps, metrics: createMetrics() });
    stack.defer(() => server.close());
    return server;
  }
  const app = await startServer();

  const accountId = newId('usr');
  const token = issuer.issueToken({ sub: accountId, plan: 'pro' });

  async function call(path: string, options: Call = {}) {
    const response = await app.inject({
      method: options.method ?? 'GET',
      url: path,
      headers: { authorization: `Bearer ${options.token ?? token}`, ...options.headers },
      ...(options.body === undefined ? {} : { payload: options.body }),
    });
    return { status: response.statusCode, body: response.body === '' ? null : response.json() };
  }

  const ingestDeps = (): IngestDeps => ({
    store: createIngestionStore(database),
    held: createHeldEventsStore(database),
    accountBacklogMax: 10_000,
    logger,
    clockMs,
    random: Math.random,
    onRejected: () => undefined,
  });

  return {
    ingestDeps,
    revoked,
    redis: redis.client,
    /** The HTTP side; it does not listen until told to. */
    server: app,
    /** Another replica of the HTTP side. */
    startServer,
    accountId,
    issuer,
    databaseUrl,
    database,
    queue,
    location: { redisUrl, queuePrefix },
    call,
    startWorker: ({
      delaysMs = [20, 20, 20, 20],
      requestTimeoutMs = 15_000,
      concurrency = 400,
      accountBacklogMax = 10_000,
    }: WorkerOptions = {}) =>
      startDeliveryWorker({
        redis: redis.client,
        logger,
        metrics: createMetrics(),
        database,
        leasing: database,
        redisUrl,
        queuePrefix,
        keyRing,
        guard,
        ...(addressQueries && { addressQueries }),
        allowHttp: true,
        requestTimeoutMs,
        delaysMs,
        concurrency,
        accountBacklogMax,
        retentionDays: 30,
        clockMs,
      }),
    async subscribe(
      url: string,
      events: EventName[] = ['note.shared'],
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
