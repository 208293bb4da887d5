import { startScheduledJobs } from '@atrium/events/scheduled-jobs';
import type { Database } from '@atrium/service-kit/database';
import type { Logger } from '@atrium/service-kit/logger';
import { purgeAuditEvents } from './audit/store.ts';
import type { AuthConfig } from './config.ts';
import { purgeDeviceLogins } from './device-login/store.ts';
import type { EmailOutbox } from './email/outbox/store.ts';
import { purgeEmailTokens } from './email/tokens/store.ts';
import { purgeProcessedMessages } from './lifecycle/account-messages/store.ts';
import { type ErasureDeps, eraseDueAccounts } from './lifecycle/deletion/erase.ts';
import { purgeExportParts, purgeExports } from './lifecycle/export/store.ts';
import { type PurgeBatch, runPurges } from './purge.ts';
import { purgeDevices } from './devices/device-store.ts';
import { purgeRefreshTokens, purgeSessions } from './sessions/refresh-store.ts';
import { purgeRevokedSessions } from './sessions/revocation/revoked-session-store.ts';
import { rotateDueSigningKey } from './signing-keys/rotation.ts';
import type { PrismaClient } from './transaction-store.ts';

const QUEUE = 'auth-jobs';
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** Longer than a message is retried. */
const PROCESSED_MESSAGES_DAYS = 30;

export interface JobDeps {
  config: AuthConfig;
  database: Database;
  prisma: PrismaClient;
  emailOutbox: EmailOutbox;
  erasure: ErasureDeps;
  redisUrl: string;
  queuePrefix: string;
  logger: Logger;
  clockMs: () => number;
}

export interface AuthJobs extends AsyncDisposable {
  /** Call after a commit that may have made an account due. */
  eraseAccountsNow: () => void;
}

/** Purges, erasures and key rotation, shared by all processes of the service. */
export function startAuthJobs(deps: JobDeps): AuthJobs {
  const { config, prisma, redisUrl, queuePrefix, logger, clockMs } = deps;
  const jobs = startScheduledJobs({
    queue: QUEUE,
    jobs: {
      purge: {
        everyMs: MINUTE_MS,
        run: (signal) => runPurges(purgesOf(deps), { logger, signal }),
      },
      'erase-accounts': {
        everyMs: MINUTE_MS,
        run: (signal) => eraseDueAccounts(deps.erasure, signal),
      },
      'rotate-signing-key': {
        everyMs: 10 * MINUTE_MS,
        run: () =>
          rotateDueSigningKey({
            prisma,
            keyRing: config.keyRing,
            accessTokenTtlSeconds: config.ACCESS_TOKEN_TTL_SECONDS,
            maxAgeDays: config.SIGNING_KEY_MAX_AGE_DAYS,
            nowMs: clockMs(),
          }),
      },
    },
    redisUrl,
    queuePrefix,
    logger,
  });
  return {
    eraseAccountsNow() {
      jobs.runNow('erase-accounts').catch((error: unknown) => {
        logger.debug({ err: error }, 'erasure waits for its schedule until Redis is back');
      });
    },
    [Symbol.asyncDispose]: () => jobs[Symbol.asyncDispose](),
  };
}

function purgesOf(deps: JobDeps): Record<string, PurgeBatch> {
  const { config, database, prisma, clockMs } = deps;
  const daysAgo = (days: number) => new Date(clockMs() - days * DAY_MS);
  return {
    sessions: (limit) => purgeSessions(database, clockMs(), limit),
    'refresh tokens': (limit) => purgeRefreshTokens(database, clockMs(), limit),
    devices: (limit) => purgeDevices(database, clockMs(), limit),
    'revoked sessions': (limit) => purgeRevokedSessions(database, clockMs(), limit),
    'audit events': (limit) =>
      purgeAuditEvents(prisma, { before: daysAgo(config.AUDIT_RETENTION_DAYS), limit }),
    'email messages': (limit) =>
      deps.emailOutbox.purge({ before: daysAgo(config.MAIL_RETENTION_DAYS), limit }),
    'email tokens': (limit) => purgeEmailTokens(prisma, { before: daysAgo(0), limit }),
    'export parts': (limit) => purgeExportParts(prisma, daysAgo(0), limit),
    'device logins': (limit) => purgeDeviceLogins(prisma, daysAgo(0), limit),
    exports: (limit) => purgeExports(prisma, daysAgo(0), limit),
    'processed messages': (limit) =>
      purgeProcessedMessages(prisma, { before: daysAgo(PROCESSED_MESSAGES_DAYS), limit }),
  };
}
