import { constants, setPriority } from 'node:os';
import { startScheduledJobs } from '@atrium/events/scheduled-jobs';
import { readConfig } from '@atrium/service-kit/config';
import { PRISMA_OPTIONS } from '@atrium/service-kit/database';
import { runProcess, serve } from '@atrium/service-kit/lifecycle';
import { openService } from '@atrium/service-kit/service';
import { PrismaPg } from '@prisma/adapter-pg';
import { NotesWorkerConfig } from './config.ts';
import { openFileStorage } from './files/config.ts';
import { PrismaClient } from './generated/client.ts';
import { startImports } from './import/queue.ts';
import { buildWorkerApp, createImportDeps } from './worker-app.ts';
import { createJobs } from './worker/jobs.ts';

// Whoever waits for an import waits a little longer, and nobody else does.
setPriority(constants.priority.PRIORITY_BELOW_NORMAL);

await runProcess('notes-worker', async (context) => {
  const config = readConfig(NotesWorkerConfig, context.env);
  const { stack } = context;
  const service = await openService(context, {
    name: 'notes-worker',
    config,
    migrations: new URL('../prisma/migrations', import.meta.url),
  });
  const { database } = service;
  const prisma = new PrismaClient({ adapter: new PrismaPg(database.pool, PRISMA_OPTIONS) });
  const deps = { ...service, prisma, storage: await openFileStorage(config) };
  stack.use(startScheduledJobs({ ...service, queue: 'notes-jobs', jobs: createJobs(deps) }));
  const imports = stack.use(startImports(createImportDeps(deps), service));
  const server = await buildWorkerApp({ ...deps, wakeImports: imports.wake });
  await serve(stack, server, { port: config.PORT, host: config.HOST });
});
