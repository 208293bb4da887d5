import { randomUUID } from 'node:crypto';
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { OutboxQueue } from '@atrium/contracts/queues';
import { openDatabase } from '@atrium/service-kit/database';
import { createAuthenticator, createKeySet } from '@atrium/service-kit/authentication';
import { parseKeyRing } from '@atrium/service-kit/key-ring';
import { createLogger, type Logger } from '@atrium/service-kit/logger';
import { createPasswordHasher } from '@atrium/service-kit/password-hasher';
import { createRateLimiter } from '@atrium/service-kit/rate-limit';
import { openRedis } from '@atrium/service-kit/redis';
import type { Server } from '@atrium/service-kit/server';
import { createTestDatabase } from '@atrium/testkit/database';
import { TEST_TIMEOUTS } from '@atrium/testkit/timeouts';
import { testRedis } from '@atrium/testkit/redis';
import { startTokenIssuer, type TokenIssuer, type TokenOptions } from '@atrium/testkit/tokens';
import { buildApp } from './app.ts';
import { createPrisma, type Database } from './database.ts';
import { openFolderStorage } from './files/folder.ts';
import type { FileStorage } from './files/storage.ts';
import { runImports } from './import/run-imports.ts';
import { createEmailAddressReader } from './invitations/email-address.ts';
import { createPresenceRegistry } from './presence/registry.ts';
import { buildWorkerApp, createImportDeps } from './worker-app.ts';
import { openSearchDatabase } from '@atrium/service-kit/search-database';

export interface Answer {
  status: number;
  body: Record<string, unknown>;
  headers: Record<string, unknown>;
}

/** Sends requests as one account. */
export type Caller = (
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  url: string,
  body?: object,
  headers?: Record<string, string>,
) => Promise<Answer>;

export interface TestApp extends AsyncDisposable {
  server: Server;
  logger: Logger;
  database: Database;
  searchDatabase: ReturnType<typeof openSearchDatabase>;
  storage: FileStorage;
  /** For which queues commits have woken the relay, and when it looks again. */
  relayWakes: { queue: OutboxQueue; delayMs: number | undefined }[];
  as(claims?: TokenOptions): Caller;
  asToken(token: string): Caller;
  /** Until it is disposed, no file can be stored. */
  breakStorage(): Promise<AsyncDisposable>;
  /** Imports the archives that wait. */
  runImports(signal?: AbortSignal): Promise<void>;
  issuer: TokenIssuer;
  /** For a worker in a process of its own, with a queue of its own. */
  workerEnvironment(): Record<string, string>;
  /** Whose access tokens are refused. */
  revokedSessions: Set<string>;
  /** An access token of a new account. */
  token(): string;
}

/** Those of auth. */
export const MESSAGE_KEYS = parseKeyRing([`k1:${Buffer.alloc(32, 7).toString('base64')}`]);

/** The production app and its worker on their own database. */
export async function startTestApp(): Promise<TestApp> {
  await using stack = new AsyncDisposableStack();
  const logger = createLogger({ service: 'notes', level: 'silent' });
  const { url } = stack.use(await createTestDatabase('notes'));
  const database = stack.use(
    openDatabase({ url, applicationName: 'notes-test', createPrisma, ...TEST_TIMEOUTS }),
  );
  const searchDatabase = stack.use(openSearchDatabase({ service: 'notes', url, ...TEST_TIMEOUTS }));
  const folder = await mkdtemp(join(tmpdir(), 'atrium-files-'));
  stack.defer(() => rm(folder, { recursive: true }));
  const storage = openFolderStorage(folder);
  const issuer = stack.use(await startTokenIssuer());
  const { url: redisUrl, queuePrefix } = testRedis();
  const redis = stack.use(await openRedis({ url: redisUrl, ...TEST_TIMEOUTS }));
  const relayWakes: TestApp['relayWakes'] = [];
  const revokedSessions = new Set<string>();
  const rateLimiterOf = (process: string) =>
    createRateLimiter({
      redis: redis.client,
      keyPrefix: `${queuePrefix}:${process}`,
      enabled: true,
      clockMs: Date.now,
    });
  const shared = {
    logger,
    database,
    storage,
    authenticator: createAuthenticator({
      isRevoked: (sessionId) => revokedSessions.has(sessionId),
      keySet: createKeySet({ url: issuer.jwksUrl, ...TEST_TIMEOUTS }),
    }),
    ready: { postgres: () => database.check(), redis: () => redis.check() },
  };
  const worker = await buildWorkerApp({
    ...shared,
    rateLimiter: rateLimiterOf('notes-worker'),
    wakeImports: () => undefined,
  });
  stack.defer(() => worker.close());
  database.wakeAfterCommit((queue, delayMs) => relayWakes.push({ queue, delayMs }));
  const server = await buildApp({
    ...shared,
    version: 'test',
    searchDatabase,
    presence: createPresenceRegistry({ redis: redis.client, queuePrefix, clockMs: Date.now }),
    rateLimiter: rateLimiterOf('notes'),
    workerUrl: await worker.listen(),
    messageKeys: MESSAGE_KEYS,
    hasher: await createPasswordHasher({ maxConcurrent: 1, maxWaiting: 32 }),
    clockMs: Date.now,
    webUrl: 'https://atrium.example',
    readEmailAddress: createEmailAddressReader(issuer.origin),
    corsOrigins: [],
    trustProxy: false,
  });
  stack.defer(() => server.close());
  const kept = stack.move();
  return {
    server,
    logger,
    database,
    searchDatabase,
    storage,
    relayWakes,
    runImports: (signal = new AbortController().signal) =>
      runImports(createImportDeps({ database, storage }), logger, signal),
    issuer,
    workerEnvironment: () => ({
      PORT: '0',
      METRICS_PORT: '0',
      DATABASE_URL: url,
      REDIS_URL: redisUrl,
      QUEUE_PREFIX: `${queuePrefix}:${randomUUID()}`,
      AUTH_URL: issuer.origin,
      FILES_FOLDER: folder,
    }),
    revokedSessions,
    token: () => issuer.issueToken(),
    as: (claims = {}) => callerOf(server, issuer.issueToken(claims)),
    asToken: (token) => callerOf(server, token),
    async breakStorage() {
      await rename(folder, `${folder}-away`);
      await writeFile(folder, '');
      return {
        async [Symbol.asyncDispose]() {
          await rm(folder);
          await rename(`${folder}-away`, folder);
        },
      };
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

function callerOf(server: Server, token: string): Caller {
  return async (method, path, body, headers = {}) => {
    const response = await server.inject({
      method,
      url: path,
      headers: { authorization: `Bearer ${token}`, ...headers },
      ...(body === undefined ? {} : { payload: body }),
      payloadAsStream: true,
    });
    const type = String(response.headers['content-type']);
    const stream = response.stream();
    // An event stream does not end by itself.
    if (type === 'text/event-stream') stream.destroy();
    const payload = stream.destroyed ? '' : await text(stream);
    return {
      status: response.statusCode,
      body: type.startsWith('application/json') ? JSON.parse(payload) : {},
      headers: response.headers,
    };
  };
}

/** @returns the id of a new workspace of the caller */
export async function newWorkspace(call: Caller, name = 'Work'): Promise<string> {
  const { body } = await call('POST', '/api/workspaces', { name, description: '' });
  return String(body['id']);
}

/** @returns the id of a new note */
export async function newNote(call: Caller, workspaceId: string, note: object): Promise<string> {
  const { body } = await call('POST', `/api/workspaces/${workspaceId}/notes`, note);
  return String(body['id']);
}
