import { EVENTS_QUEUE, INBOX } from '@atrium/contracts/queues';
import { parseKeyRing } from '@atrium/service-kit/key-ring';
import type { ProcessContext } from '@atrium/service-kit/lifecycle';
import { createPasswordHasher } from '@atrium/service-kit/password-hasher';
import { openSearchDatabase } from '@atrium/service-kit/search-database';
import type { Server } from '@atrium/service-kit/server';
import { openService, type Timeouts } from '@atrium/service-kit/service';
import { accountCollections, eraseAccount } from './account-data/store.ts';
import { buildApp, type NotesDeps } from './app.ts';
import type { NotesConfig } from './config.ts';
import { createPrisma } from './database.ts';
import { openFileStorage } from './files/config.ts';
import { createEmailAddressReader } from './invitations/email-address.ts';
import { createPresenceRegistry } from './presence/registry.ts';

/** Files and names are looked up by the same threads. */
const HASHING = { maxConcurrent: 1, maxWaiting: 32 };

/** Opens everything that the API of notes works with on the stack of its process. */
export async function openNotes(
  context: ProcessContext,
  config: NotesConfig,
  { timeouts, ...overrides }: Partial<NotesDeps> & { timeouts?: Timeouts } = {},
): Promise<NotesDeps & { server: Server }> {
  const { stack, logger } = context;
  const service = await openService(context, {
    name: 'notes',
    product: 'notes',
    config,
    createPrisma,
    migrations: new URL('../prisma/migrations', import.meta.url),
    queues: [EVENTS_QUEUE, INBOX.auth],
    timeouts,
  });
  const deps: NotesDeps = {
    ...service,
    searchDatabase: stack.use(
      openSearchDatabase({ service: 'notes', url: config.DATABASE_URL, logger, ...timeouts }),
    ),
    storage: await openFileStorage(config),
    presence: createPresenceRegistry({ ...service, redis: service.redis.client }),
    messageKeys: parseKeyRing(config.MESSAGE_KEYS, 'MESSAGE_KEYS'),
    hasher: await createPasswordHasher(HASHING),
    workerUrl: config.NOTES_WORKER_URL,
    webUrl: config.WEB_URL,
    readEmailAddress: createEmailAddressReader(config.AUTH_URL),
    ...overrides,
  };
  service.serveAccountData('notes', {
    erase: (accountId) => eraseAccount(deps, accountId),
    collections: (accountId) => accountCollections(deps.database, accountId),
    keepsPlans: true,
  });
  return { ...deps, server: await buildApp(deps) };
}
