import { openDatabase, type Database } from '@atrium/service-kit/database';
import { createAuthenticator, createKeySet } from '@atrium/service-kit/authentication';
import { createLogger } from '@atrium/service-kit/logger';
import { createRateLimiter } from '@atrium/service-kit/rate-limit';
import { openRedis } from '@atrium/service-kit/redis';
import type { Server } from '@atrium/service-kit/server';
import { createTestDatabase } from '@atrium/testkit/database';
import { TEST_TIMEOUTS } from '@atrium/testkit/timeouts';
import { testRedis } from '@atrium/testkit/redis';
import { startTokenIssuer, type TokenWishes } from '@atrium/testkit/tokens';
import { buildApp } from './app.ts';

export interface Answer {
  status: number;
  body: Record<string, unknown>;
  headers: Record<string, unknown>;
}

/** Makes requests as one account. */
export type Caller = (
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
  url: string,
  body?: object,
  headers?: Record<string, string>,
) => Promise<Answer>;

export interface TestApp extends AsyncDisposable {
  server: Server;
  db: Database;
  /** How often the relay was told of a new event. */
  wakes: () => number;
  as(wishes?: TokenWishes): Caller;
  /** An access token of some account. */
  token(): string;
}

/** The production app on a database of its own. */
export async function startTestApp(): Promise<TestApp> {
  await using stack = new AsyncDisposableStack();
  const logger = createLogger({ service: 'notes', level: 'silent' });
  const { url } = stack.use(await createTestDatabase('notes'));
  const db = stack.use(openDatabase({ url, applicationName: 'notes-test', ...TEST_TIMEOUTS }));
  const issuer = stack.use(await startTokenIssuer());
  const { url: redisUrl, queuePrefix } = testRedis();
  const redis = stack.use(await openRedis({ url: redisUrl, ...TEST_TIMEOUTS }));
  let wakes = 0;
  const server = await buildApp({
    logger,
    db,
    authenticator: createAuthenticator({
      keySet: createKeySet({ url: issuer.jwksUrl, ...TEST_TIMEOUTS }),
    }),
    limiter: createRateLimiter({
      redis: redis.client,
      queuePrefix,
      enabled: true,
      clockMs: Date.now,
    }),
    relay: {
      wake() {
        wakes += 1;
      },
    },
    ready: { postgres: () => db.check(), redis: () => redis.check() },
    notesUrl: 'https://notes.example',
    corsOrigins: [],
    trustProxy: false,
  });
  stack.defer(() => server.close());
  const kept = stack.move();
  return {
    server,
    db,
    wakes: () => wakes,
    token: () => issuer.issueToken(),
    as(wishes = {}) {
      const token = issuer.issueToken(wishes);
      return async (method, path, body, headers = {}) => {
        const response = await server.inject({
          method,
          url: path,
          headers: { authorization: `Bearer ${token}`, ...headers },
          ...(body === undefined ? {} : { payload: body }),
        });
        const text = response.body;
        return {
          status: response.statusCode,
          body: text === '' ? {} : JSON.parse(text),
          headers: response.headers,
        };
      };
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

/** A new workspace of the caller; its id. */
export async function newWorkspace(call: Caller, name = 'Work'): Promise<string> {
  const { body } = await call('POST', '/api/workspaces', { name, description: '' });
  return String(body['id']);
}

/** A new note; its id. */
export async function newNote(call: Caller, workspaceId: string, note: object): Promise<string> {
  const { body } = await call('POST', `/api/workspaces/${workspaceId}/notes`, note);
  return String(body['id']);
}
