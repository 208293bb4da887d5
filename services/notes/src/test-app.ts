import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { OutboxQueue } from '@atrium/contracts/queues';
import { createAuthenticator, createKeySet } from '@atrium/service-kit/authentication';
import { readConfig } from '@atrium/service-kit/config';
import { type ProcessContext, serve } from '@atrium/service-kit/lifecycle';
import { createLogger } from '@atrium/service-kit/logger';
import type { Server } from '@atrium/service-kit/server';
import { createTestDatabase } from '@atrium/testkit/database';
import { testRedis } from '@atrium/testkit/redis';
import type { ReplicatedDatabase } from '@atrium/testkit/standby';
import { TEST_TIMEOUTS } from '@atrium/testkit/timeouts';
import { until } from '@atrium/testkit/until';
import { startTokenIssuer, type TokenIssuer, type TokenOptions } from '@atrium/testkit/tokens';
import type { NotesDeps } from './app.ts';
import { NotesConfig, NotesWorkerConfig } from './config.ts';
import { runImports } from './import/run-imports.ts';
import { openNotes } from './open-notes.ts';
import { openNotesWorker } from './open-notes-worker.ts';
import { createImportDeps } from './worker-app.ts';

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

export interface TestApp extends AsyncDisposable, NotesDeps {
  server: Server;
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
  /** Has its access tokens refused. */
  revokeSession(sessionId: string): void;
  /** An access token of a new account. */
  token(): string;
}

/** What a process of its own would give to whatever it opens. */
export const testContext = (stack: AsyncDisposableStack): ProcessContext => ({
  stack,
  env: {},
  logger: createLogger({ service: 'notes', level: 'silent' }),
  shutdown: new AbortController().signal,
});

/** What a process is given that has a database, and a queue of its own. */
export function testEnvironment(databaseUrl: string, { origin }: TokenIssuer) {
  const { url, queuePrefix } = testRedis();
  return {
    PORT: '0',
    METRICS_PORT: '0',
    DATABASE_URL: databaseUrl,
    REDIS_URL: url,
    QUEUE_PREFIX: queuePrefix,
    AUTH_URL: origin,
    WEB_URL: 'https://atrium.example',
    NOTES_WORKER_URL: 'http://127.0.0.1:9',
    MESSAGE_KEYS: `k1:${Buffer.alloc(32, 7).toString('base64')}`,
  };
}

/** The API and its worker as their processes open them, on their own database unless one is given. */
export async function startTestApp(
  given?: Pick<ReplicatedDatabase, 'url'> & Partial<ReplicatedDatabase>,
): Promise<TestApp> {
  await using stack = new AsyncDisposableStack();
  const context = testContext(stack);
  const folder = await mkdtemp(join(tmpdir(), 'atrium-files-'));
  stack.defer(() => rm(folder, { recursive: true }));
  const issuer = stack.use(await startTokenIssuer());
  const url = given?.url ?? stack.use(await createTestDatabase('notes')).url;
  const environment = { ...testEnvironment(url, issuer), FILES_FOLDER: folder };
  const revoked = new Set<string>();
  const keySet = createKeySet({ url: issuer.jwksUrl, ...TEST_TIMEOUTS });
  await until(() => keySet.check().then(() => true));
  const overrides = {
    timeouts: TEST_TIMEOUTS,
    authenticator: createAuthenticator({
      isRevoked: (sessionId) => revoked.has(sessionId),
      exchange: async () => undefined,
      product: 'notes',
      keySet,
    }),
  };
  const workerConfig = readConfig(NotesWorkerConfig, environment);
  const worker = await openNotesWorker(context, workerConfig, { ...overrides, hasJobs: false });
  const config = readConfig(NotesConfig, {
    ...environment,
    DATABASE_READ_URL: given?.readUrl,
    NOTES_WORKER_URL: await serve(stack, worker.server, { port: 0, host: '127.0.0.1' }),
  });
  const notes = await openNotes(context, config, overrides);
  const { server, database, storage } = notes;
  stack.defer(() => server.close());
  const relayWakes: TestApp['relayWakes'] = [];
  database.wakeAfterCommit((queue, delayMs) => relayWakes.push({ queue, delayMs }));
  const kept = stack.move();
  return {
    ...notes,
    relayWakes,
    runImports: (signal = new AbortController().signal) =>
      runImports(createImportDeps({ database, storage }), context.logger, signal),
    issuer,
    workerEnvironment: () => ({ ...testEnvironment(url, issuer), FILES_FOLDER: folder }),
    revokeSession: (sessionId) => void revoked.add(sessionId),
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
