import { PRISMA_OPTIONS, openDatabase, type Database } from '@atrium/service-kit/database';
import { createAuthenticator } from '@atrium/service-kit/authentication';
import { createPasswordHasher, hashingLimits } from '@atrium/service-kit/password-hasher';
import { createRateLimiter } from '@atrium/service-kit/rate-limit';
import { createLogger } from '@atrium/service-kit/logger';
import { openRedis } from '@atrium/service-kit/redis';
import { followRevokedSessions } from '@atrium/service-kit/revoked-sessions';
import type { Server } from '@atrium/service-kit/server';
import { createTestDatabase } from '@atrium/testkit/database';
import { type Mail, type Mailbox, startMailbox } from '@atrium/testkit/mailbox';
import { TEST_TIMEOUTS } from '@atrium/testkit/timeouts';
import { testRedis } from '@atrium/testkit/redis';
import { PrismaPg } from '@prisma/adapter-pg';
import { buildApp } from './app.ts';
import { readAuthConfig } from './config.ts';
import { PrismaClient } from './generated/client.ts';
import { openSigningKeys } from './signing-keys/signing-keys.ts';
import { startEmailSender } from './email/outbox/sender.ts';
import { createEmailOutbox, type EmailOutbox } from './email/outbox/store.ts';
import { smtpTransport } from './email/transport/transport.ts';
import { type Answer, type Call, inject, type Method } from './test-request.ts';
import { readRevokedSessions } from './sessions/revocation/revoked-session-store.ts';

export type { Answer, Call } from './test-request.ts';

export const PASSWORD = 'a lantern in the fog';
export const INTERNAL_SECRET = 'internal-secret-of-tests';
export const TEST_KEYS = `k1:${Buffer.alloc(32, 7).toString('base64')}`;

export interface TestApp extends AsyncDisposable {
  server: Server;
  db: Database;
  prisma: PrismaClient;
  mailbox: Mailbox;
  emailOutbox: EmailOutbox;
  wakeEmailSender: () => void;
  /** Moves the clock of the app. */
  clock: { advanceMs: number };
  relayWakes: () => number;
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
    INTERNAL_SECRET,
    SECRETS_KEYS: TEST_KEYS,
    MESSAGE_KEYS: TEST_KEYS,
    ...overrides,
  };
}

export interface TestDatabase extends AsyncDisposable {
  url: string;
  db: Database;
  prisma: PrismaClient;
}

/** A migrated database of its own. */
export async function openTestDatabase(): Promise<TestDatabase> {
  await using stack = new AsyncDisposableStack();
  const { url } = stack.use(await createTestDatabase('auth'));
  const db = stack.use(openDatabase({ url, applicationName: 'auth-test', ...TEST_TIMEOUTS }));
  const prisma = new PrismaClient({ adapter: new PrismaPg(db.pool, PRISMA_OPTIONS) });
  stack.defer(() => prisma.$disconnect());
  const opened = stack.move();
  return { url, db, prisma, [Symbol.asyncDispose]: () => opened.disposeAsync() };
}

/** The production app and email sender, on a database and a mailbox of their own. */
export async function startTestApp(
  overrides: NodeJS.ProcessEnv = {},
  { log }: { log?: { write(line: string): void } } = {},
): Promise<TestApp> {
  await using stack = new AsyncDisposableStack();
  const { url: sharedRedisUrl, queuePrefix } = testRedis();
  const redisUrl = overrides['REDIS_URL'] ?? sharedRedisUrl;
  const config = readAuthConfig(environment({ QUEUE_PREFIX: queuePrefix, ...overrides }));
  const logger = createLogger({
    service: 'auth',
    ...(log === undefined ? { level: 'silent' } : { level: 'trace', destination: log }),
  });
  const { db, prisma } = stack.use(await openTestDatabase());
  const redis = stack.use(await openRedis({ url: redisUrl, ...TEST_TIMEOUTS }));
  const mailbox = stack.use(await startMailbox());
  const emailOutbox = createEmailOutbox({ database: db, prisma, keyRing: config.keyRing });
  const transport = stack.use(smtpTransport({ url: mailbox.smtpUrl, from: config.MAIL_FROM }));
  const emailSender = stack.use(
    startEmailSender({ outbox: emailOutbox, transport, redisUrl, queuePrefix, logger }),
  );
  const clock = { advanceMs: 0 };
  const clockMs = () => Date.now() + clock.advanceMs;
  const revokedSessions = stack.use(
    await followRevokedSessions({
      read: (cursor) => readRevokedSessions(db, cursor, clockMs()),
      clockMs,
    }),
  );
  const signingKeys = stack.use(
    await openSigningKeys({
      prisma,
      keyRing: config.keyRing,
      accessTokenTtlSeconds: config.ACCESS_TOKEN_TTL_SECONDS,
      maxAgeDays: config.SIGNING_KEY_MAX_AGE_DAYS,
      clockMs,
      logger,
    }),
  );
  let relayWakes = 0;
  const server = await buildApp({
    config,
    database: db,
    prisma,
    authenticator: createAuthenticator({
      keySet: signingKeys.keySet,
      isRevoked: revokedSessions.isRevoked,
      clockMs,
    }),
    rateLimiter: createRateLimiter({
      redis: redis.client,
      keyPrefix: `${config.QUEUE_PREFIX}:auth`,
      enabled: config.RATE_LIMITS === 'on',
      clockMs,
      logger,
    }),
    ready: { postgres: () => db.check(), redis: () => redis.check() },
    version: 'test',
    signingKeys,
    revokedSessions,
    hasher: await createPasswordHasher(hashingLimits(config.UV_THREADPOOL_SIZE)),
    emailOutbox,
    wakeEmailSender: () => emailSender.wake(),
    wakeRelay: () => {
      relayWakes += 1;
    },
    wakeErasure: () => undefined,
    logger,
    clockMs,
  });
  stack.defer(() => server.close());
  const kept = stack.move();
  return {
    server,
    db,
    prisma,
    mailbox,
    emailOutbox,
    wakeEmailSender: () => emailSender.wake(),
    clock,
    relayWakes: () => relayWakes,
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
