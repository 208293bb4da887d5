import { EVENTS_QUEUE, INBOX } from '@atrium/contracts/queues';
import { readConfig } from '@atrium/service-kit/config';
import { PRISMA_OPTIONS } from '@atrium/service-kit/database';
import { runProcess, serve } from '@atrium/service-kit/lifecycle';
import { openService } from '@atrium/service-kit/service';
import { PrismaPg } from '@prisma/adapter-pg';
import { accountCollections, eraseAccount } from './account-data/store.ts';
import { buildApp } from './app.ts';
import { NotesConfig } from './config.ts';
import { PrismaClient } from './generated/client.ts';

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
  service.serveAccountData('notes', {
    erase: (accountId) => eraseAccount(database, prisma, accountId),
    collections: (accountId) => accountCollections(prisma, accountId),
  });
  const server = await buildApp({ ...service, prisma, notesUrl: config.NOTES_URL });
  await serve(context.stack, server, { port: config.PORT, host: config.HOST });
});
