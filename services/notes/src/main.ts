import { EVENTS_QUEUE, INBOX } from '@atrium/contracts/queues';
import { readConfig } from '@atrium/service-kit/config';
import { parseKeyRing } from '@atrium/service-kit/key-ring';
import { runProcess, serve } from '@atrium/service-kit/lifecycle';
import { createPasswordHasher } from '@atrium/service-kit/password-hasher';
import { openSearchDatabase } from '@atrium/service-kit/search-database';
import { openService } from '@atrium/service-kit/service';
import { accountCollections, eraseAccount } from './account-data/store.ts';
import { buildApp } from './app.ts';
import { NotesConfig } from './config.ts';
import { createPrisma } from './database.ts';
import { openFileStorage } from './files/config.ts';
import { createEmailAddressReader } from './invitations/email-address.ts';
import { createPresenceRegistry } from './presence/registry.ts';

/** Files and names are looked up by the same threads. */
const HASHING = { maxConcurrent: 1, maxWaiting: 32 };

await runProcess('notes', async (context) => {
  const config = readConfig(NotesConfig, context.env);
  const service = await openService(context, {
    name: 'notes',
    config,
    createPrisma,
    migrations: new URL('../prisma/migrations', import.meta.url),
    queues: [EVENTS_QUEUE, INBOX.auth],
  });
  const { database } = service;
  const { stack, logger } = context;
  const searchDatabase = stack.use(
    openSearchDatabase({ service: 'notes', url: config.DATABASE_URL, logger }),
  );
  const storage = await openFileStorage(config);
  service.serveAccountData('notes', {
    erase: (accountId) => eraseAccount({ database, storage }, accountId),
    collections: (accountId) => accountCollections(database, accountId),
    keepsPlans: true,
  });
  const server = await buildApp({
    ...service,
    searchDatabase,
    storage,
    presence: createPresenceRegistry({ ...service, redis: service.redis.client }),
    messageKeys: parseKeyRing(config.MESSAGE_KEYS, 'MESSAGE_KEYS'),
    hasher: await createPasswordHasher(HASHING),
    workerUrl: config.NOTES_WORKER_URL,
    webUrl: config.WEB_URL,
    readEmailAddress: createEmailAddressReader(config.AUTH_URL),
  });
  await serve(stack, server, { port: config.PORT, host: config.HOST });
});
