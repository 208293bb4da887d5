import type { Message } from '@atrium/contracts/account-messages';
import type { ScheduledJob } from '@atrium/events/scheduled-jobs';
import { openDatabase } from '@atrium/service-kit/database';
import { createLogger } from '@atrium/service-kit/logger';
import { createMetrics } from '@atrium/service-kit/metrics';
import { openRedis } from '@atrium/service-kit/redis';
import type { Server } from '@atrium/service-kit/server';
import { createTestDatabase } from '@atrium/testkit/database';
import { type Mail, type Mailbox, startMailbox } from '@atrium/testkit/mailbox';
import { TEST_TIMEOUTS } from '@atrium/testkit/timeouts';
import { testRedis } from '@atrium/testkit/redis';
import { readAuthConfig } from './config.ts';
import { createPrisma, type Database } from './database.ts';
import { openAuth } from './open-auth.ts';
import type { StartJobs } from './scheduled-jobs.ts';
import { type Answer, type Call, inject, type Method } from './test-request.ts';

export type { Answer, Call } from './test-request.ts';

export const PASSWORD = 'a lantern in the fog';
export const INTERNAL_SECRET = 'internal-secret-of-tests';
export const TEST_KEYS = `k1:${Buffer.alloc(32, 7).toString('base64')}`;

export interface TestApp extends AsyncDisposable {
  server: Server;
  db: Database;
  mailbox: Mailbox;
  /** Moves the clock of the app. */
  clock: { advanceMs: number };
  relayWakes: () => number;
  /** Handles a message of the inbox. */
  receive(message: Message): Promise<void>;
  runJob(name: string): Promise<void>;
  call(method: Method, url: string, call?: Call): Promise<Answer>;
  /** The token in the newest message to this address with such a link. */
  emailToken(
    email: string,
    path: 'verify-email' | 'reset-password' | 'confirm-email' | 'not-me',
    count?: number,
  ): Promise<string>;
}

export function environment(overrides: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv {
  return {
    PORT: '0',
    METRICS_PORT: '0',
    DATABASE_URL: 'postgres://unused',
    REDIS_URL: 'redis://unused',
    AUTH_URL: 'http://auth.example',
    WEB_URL: 'https://web.example',
    CORS_ORIGINS: 'https://app.example',
    RATE_LIMITS: 'off',
    ATRIUM_VERSION: 'test',
    INTERNAL_SECRET,
    SECRETS_KEYS: TEST_KEYS,
    MESSAGE_KEYS: TEST_KEYS,
    ...overrides,
  };
}

export interface TestDatabase extends AsyncDisposable {
  url: string;
  db: Database;
}

/** A migrated database of its own. */
export async function openTestDatabase(): Promise<TestDatabase> {
  await using stack = new AsyncDisposableStack();
  const { url } = stack.use(await createTestDatabase('auth'));
  const options = { url, applicationName: 'auth-test', createPrisma, ...TEST_TIMEOUTS };
  const db = stack.use(openDatabase(options));
  const opened = stack.move();
  return { url, db, [Symbol.asyncDispose]: () => opened.disposeAsync() };
}

/**
 * The production service on a database, unless one is given, a queue prefix and a mailbox of its own. Nothing
 * leaves its outbox, and messages and jobs wait for the test.
 */
export async function startTestApp(
  overrides: NodeJS.ProcessEnv = {},
  { log, db: given }: { log?: { write(line: string): void }; db?: Database } = {},
): Promise<TestApp> {
  await using stack = new AsyncDisposableStack();
  const { url, queuePrefix: ownPrefix } = testRedis();
  const { REDIS_URL: redisUrl = url, QUEUE_PREFIX: queuePrefix = ownPrefix } = overrides;
  const logger = createLogger({
    service: 'auth',
    ...(log === undefined ? { level: 'silent' } : { level: 'trace', destination: log }),
  });
  const db = given ?? stack.use(await openTestDatabase()).db;
  const redis = stack.use(await openRedis({ url: redisUrl, ...TEST_TIMEOUTS }));
  const mailbox = stack.use(await startMailbox());
  const clock = { advanceMs: 0 };
  let relayWakes = 0;
  db.wakeAfterCommit(() => (relayWakes += 1));
  let receive: TestApp['receive'] = () => Promise.reject(new Error('nothing is consumed'));
  const started = new Map<string, ScheduledJob>();
  const backends = {
    name: 'auth',
    logger,
    clockMs: () => Date.now() + clock.advanceMs,
    database: db,
    redis,
    redisUrl,
    queuePrefix,
    probe: db,
    metrics: createMetrics(),
    ready: { postgres: () => db.check(), redis: () => redis.check() },
    consumeMessages: (_queue: string, handle: TestApp['receive']) => {
      receive = handle;
    },
    serveAccountData: () => undefined,
  };
  const startJobs: StartJobs = ({ jobs }) => {
    for (const [name, job] of Object.entries<ScheduledJob>(jobs)) started.set(name, job);
    return { runNow: async () => undefined, [Symbol.asyncDispose]: async () => undefined };
  };
  const server = await openAuth(
    { env: {}, stack, logger, shutdown: new AbortController().signal },
    readAuthConfig(environment({ SMTP_URL: mailbox.smtpUrl, ...overrides })),
    { backends, startJobs },
  );
  stack.defer(() => server.close());
  const kept = stack.move();
  return {
    server,
    db,
    mailbox,
    clock,
    relayWakes: () => relayWakes,
    receive,
    runJob: async (name) => started.get(name)?.run(new AbortController().signal),
    call: (method, path, call) => inject(server, method, path, call),
    async emailToken(email, path, count = 1) {
      // The verification email has a second link, to /not-me/.
      const has = ({ to, text }: Mail) =>
        to.includes(email) && /https:\S+?\/([\w-]+)\//.exec(text)?.[1] === path;
      await mailbox.waitFor(() => mailbox.messages.filter(has).length >= count);
      const mail = mailbox.messages.findLast(has);
      return new RegExp(`/${path}/([\\w-]+)`).exec(mail?.text ?? '')?.[1] ?? '';
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

/** The value in a `set-cookie` line. */
export function valueOf(line: string | undefined): string {
  return decodeURIComponent(/^[^=]+=([^;]*)/.exec(line ?? '')?.[1] ?? '');
}

export interface TestAccount {
  id: string;
  username: string;
  email: string;
  accessToken: string;
  refreshToken: string;
  device: string;
}

export function inputOf(username: string) {
  return {
    name: 'Ada Lovelace',
    username,
    email: `${username}@example.com`,
    password: PASSWORD,
    birthdate: '1990-12-10',
    gender: 'female',
  };
}

/** Logs in and keeps the cookies. */
export async function signIn(
  app: TestApp,
  account: { username: string; email: string; password?: string },
  call: Call = {},
): Promise<TestAccount> {
  const { username, email, password = PASSWORD } = account;
  const answer = await app.call('POST', '/auth/login', { ...call, body: { email, password } });
  if (answer.status !== 200) {
    throw new Error(`Login answered ${answer.status}: ${JSON.stringify(answer.body)}`);
  }
  const { user, accessToken } = answer.body as { user: { id: string }; accessToken: string };
  return {
    id: user.id,
    username,
    email,
    accessToken,
    refreshToken: valueOf(answer.cookies['refreshToken']),
    device: valueOf(answer.cookies['device']),
  };
}

/** Registers and logs in. */
export async function makeAccount(app: TestApp, username: string): Promise<TestAccount> {
  const input = inputOf(username);
  await app.call('POST', '/auth/register', { body: input });
  return signIn(app, input);
}
