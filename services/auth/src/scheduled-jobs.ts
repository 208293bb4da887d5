import { startScheduledJobs } from '@atrium/events/scheduled-jobs';
import type { Logger } from '@atrium/service-kit/logger';
import { purgeImports } from './account-import/files/store.ts';
import { runImport } from './account-import/files/run.ts';
import type { Database } from './database.ts';
import { purgeAuditEvents } from './audit/store.ts';
import type { AuthConfig } from './config.ts';
import type { EmailOutbox } from './email/outbox/store.ts';
import { purgeEmailTokens } from './email/tokens/store.ts';
import { purgeProcessedMessages } from './lifecycle/account-messages/store.ts';
import { type ErasureDeps, eraseDueAccounts } from './lifecycle/deletion/erase.ts';
import { purgeExportParts, purgeExports } from './lifecycle/export/store.ts';
import { type PurgeBatch, runPurges } from './purge.ts';
import { purgePersonalTokens } from './personal-tokens/store.ts';
import { tellLogouts } from './oauth/logouts/tell-logouts.ts';
import type { OauthProvider } from './oauth/provider/provider.ts';
import { purgeGrants } from './oauth/provider/grant-store.ts';
import { purgeRecords } from './oauth/provider/record-store.ts';
import { purgeDevices } from './devices/device-store.ts';
import { purgeRefreshTokens, purgeSessions } from './sessions/refresh-store.ts';
import { purgeRevokedSessions } from './sessions/revocation/revoked-session-store.ts';
import { rotateDueSigningKey } from './signing-keys/rotation.ts';

const QUEUE = 'auth-jobs';
/** A queue of their own, so that no other job waits until a file is imported. */
const IMPORTS_QUEUE = 'auth-imports';
/** A queue of their own: applications that do not answer delay no purge, and no purge delays a logout. */
const LOGOUTS_QUEUE = 'auth-logouts';
export type StartJobs = typeof startScheduledJobs;

const SECOND_MS = 1000;
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** Longer than a message is retried. */
const PROCESSED_MESSAGES_DAYS = 30;
const IMPORT_REPORT_DAYS = 30;

export interface JobDeps {
  config: AuthConfig;
  database: Database;
  emailOutbox: EmailOutbox;
  provider: OauthProvider;
  erasure: ErasureDeps;
  redisUrl: string;
  queuePrefix: string;
  logger: Logger;
  clockMs: () => number;
  /** `startScheduledJobs` by default. */
  startJobs?: StartJobs | undefined;
}

export interface AuthJobs extends AsyncDisposable {
  /** For after a commit that may have made an account due. */
  eraseAccountsNow: () => void;
  /** For after the commit of a file with accounts. */
  importAccountsNow: () => void;
}

/** Purges, erasures, imports and key rotation, shared by all processes of the service. */
export function startAuthJobs(deps: JobDeps): AuthJobs {
  const { config, database, redisUrl, queuePrefix, logger, clockMs } = deps;
  const { startJobs = startScheduledJobs } = deps;
  const jobs = startJobs({
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
            database,
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
  const imports = startJobs({
    queue: IMPORTS_QUEUE,
    jobs: {
      'import-accounts': {
        everyMs: MINUTE_MS,
        run: (signal) => runImport({ database, plan: config.DEFAULT_PLAN, clockMs }, signal),
      },
    },
    redisUrl,
    queuePrefix,
    logger,
  });
  const logouts = startJobs({
    queue: LOGOUTS_QUEUE,
    jobs: {
      'tell-logouts': {
        everyMs: 5 * SECOND_MS,
        run: (signal) => tellLogouts(deps, signal),
      },
    },
    redisUrl,
    queuePrefix,
    logger,
  });
  const queues = [jobs, imports, logouts];
  const onSchedule = (error: unknown) =>
    logger.debug({ err: error }, 'the job waits for its schedule until Redis is back');
  return {
    eraseAccountsNow: () => void jobs.runNow('erase-accounts').catch(onSchedule),
    importAccountsNow: () => void imports.runNow('import-accounts').catch(onSchedule),
    async [Symbol.asyncDispose]() {
      await Promise.all(queues.map((queue) => queue[Symbol.asyncDispose]()));
    },
  };
}

function purgesOf(deps: JobDeps): Record<string, PurgeBatch> {
  const { config, database, clockMs } = deps;
  const daysAgo = (days: number) => new Date(clockMs() - days * DAY_MS);
  return {
    sessions: (limit) => purgeSessions(database, clockMs(), limit),
    'refresh tokens': (limit) => purgeRefreshTokens(database, clockMs(), limit),
    'personal tokens': (limit) => purgePersonalTokens(database, clockMs(), limit),
    'oauth grants': (limit) => purgeGrants(database, daysAgo(0), limit),
    'oauth records': (limit) => purgeRecords(database, daysAgo(0), limit),
    devices: (limit) => purgeDevices(database, clockMs(), limit),
    'revoked sessions': (limit) => purgeRevokedSessions(database, clockMs(), limit),
    'audit events': (limit) =>
      purgeAuditEvents(database, { before: daysAgo(config.AUDIT_RETENTION_DAYS), limit }),
    'email messages': (limit) =>
      deps.emailOutbox.purge({ before: daysAgo(config.MAIL_RETENTION_DAYS), limit }),
    'email tokens': (limit) => purgeEmailTokens(database, { before: daysAgo(0), limit }),
    'export parts': (limit) => purgeExportParts(database, daysAgo(0), limit),
    'account imports': (limit) =>
      purgeImports(database, { before: daysAgo(IMPORT_REPORT_DAYS), limit }),
    exports: (limit) => purgeExports(database, daysAgo(0), limit),
    'processed messages': (limit) =>
      purgeProcessedMessages(database, { before: daysAgo(PROCESSED_MESSAGES_DAYS), limit }),
  };
}
