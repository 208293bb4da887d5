import { EVENTS_QUEUE, INBOX } from '@atrium/contracts/queues';
import { startScheduledJobs } from '@atrium/events/scheduled-jobs';
import { readConfig } from '@atrium/service-kit/config';
import { PRISMA_OPTIONS } from '@atrium/service-kit/database';
import { purgeIdempotencyKeys } from '@atrium/service-kit/idempotency-store';
import { runProcess, serve } from '@atrium/service-kit/lifecycle';
import { createPasswordHasher } from '@atrium/service-kit/password-hasher';
import { openService } from '@atrium/service-kit/service';
import { PrismaPg } from '@prisma/adapter-pg';
import { accountCollections, eraseAccount } from './account-data/store.ts';
import { purgeActivities, trimActivities } from './activity/retention.ts';
import { buildApp, createImportDeps } from './app.ts';
import { detachUnused, eraseDetached } from './attachments/purge.ts';
import { NotesConfig } from './config.ts';
import { openFileStorage } from './files/config.ts';
import { PrismaClient } from './generated/client.ts';
import { purgeImports } from './import/purge.ts';
import { startImports } from './import/queue.ts';
import { createEmailAddressReader } from './invitations/email-address.ts';
import { purgeInvitations } from './invitations/store.ts';
import { purgeVersions } from './history/retention.ts';
import { createPresenceRegistry } from './presence/registry.ts';
import { openSearchDatabase } from '@atrium/service-kit/search-database';
import { eraseOrphans } from './search-index/orphans.ts';
import { purgeTrash } from './trash/store.ts';
import { eraseDeletedWorkspaces } from './workspaces/erasure.ts';

const ORPHANS_EVERY_MS = 300_000;
const MINUTE_MS = 60_000;
/** Files and names are looked up by the same threads. */
const HASHING = { maxConcurrent: 1, maxWaiting: 32 };
/** An abandoned upload keeps others out of its workspace. */
const PURGE_IMPORTS_EVERY_MS = 300_000;
const HOUR_MS = 3_600_000;

await runProcess('notes', async (context) => {
  const config = readConfig(NotesConfig, context.env);
  const service = await openService(context, {
    name: 'notes',
    config,
    migrations: new URL('../prisma/migrations', import.meta.url),
    queues: [EVENTS_QUEUE, INBOX.auth],
  });
  const { database } = service;
  const prisma = new PrismaClient({ adapter: new PrismaPg(database.pool, PRISMA_OPTIONS) });
  const { stack, logger } = context;
  const searchDatabase = stack.use(
    openSearchDatabase({ service: 'notes', url: config.DATABASE_URL, logger }),
  );
  const storage = await openFileStorage(config);
  const purge = { database, storage, logger };
  const jobs = {
    'purge-attachments': {
      everyMs: HOUR_MS,
      async run(signal: AbortSignal) {
        await detachUnused(purge, signal);
        await eraseDetached(purge, signal);
      },
    },
    'erase-deleted-workspaces': {
      everyMs: MINUTE_MS,
      run: (signal: AbortSignal) => eraseDeletedWorkspaces(purge, signal),
    },
    'erase-orphaned-search-rows': {
      everyMs: ORPHANS_EVERY_MS,
      run: (signal: AbortSignal) => eraseOrphans(database, signal),
    },
    'purge-invitations': { everyMs: HOUR_MS, run: () => purgeInvitations(database) },
    'purge-versions': { everyMs: HOUR_MS, run: () => purgeVersions(database) },
    'purge-activity': {
      everyMs: HOUR_MS,
      async run() {
        await purgeActivities(database);
        await trimActivities(database);
      },
    },
    'purge-trash': { everyMs: HOUR_MS, run: () => purgeTrash(database) },
    'purge-imports': {
      everyMs: PURGE_IMPORTS_EVERY_MS,
      run: (signal: AbortSignal) => purgeImports(database, storage, signal),
    },
    'purge-idempotency-keys': {
      everyMs: HOUR_MS,
      run: (signal: AbortSignal) => purgeIdempotencyKeys(database, signal),
    },
  };
  const { REDIS_URL: redisUrl, QUEUE_PREFIX: queuePrefix } = config;
  stack.use(startScheduledJobs({ queue: 'notes-jobs', jobs, redisUrl, queuePrefix, logger }));
  const importDeps = createImportDeps({ database, prisma, storage });
  const imports = stack.use(startImports(importDeps, { redisUrl, queuePrefix, logger }));
  service.serveAccountData('notes', {
    erase: (accountId) => eraseAccount({ database, prisma, storage }, accountId),
    collections: (accountId) => accountCollections(prisma, accountId),
    keepsPlans: true,
  });
  const server = await buildApp({
    ...service,
    prisma,
    searchDatabase,
    storage,
    presence: createPresenceRegistry({ ...service, redis: service.redis.client }),
    hasher: await createPasswordHasher(HASHING),
    wakeImports: imports.wake,
    webUrl: config.WEB_URL,
    readEmailAddress: createEmailAddressReader(config.AUTH_URL),
  });
  await serve(stack, server, { port: config.PORT, host: config.HOST });
});
