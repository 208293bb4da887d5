import { constants, setPriority } from 'node:os';
import { startScheduledJobs } from '@atrium/events/scheduled-jobs';
import { readConfig } from '@atrium/service-kit/config';
import { runProcess, serve } from '@atrium/service-kit/lifecycle';
import { openService } from '@atrium/service-kit/service';
import { NotesWorkerConfig } from './config.ts';
import { createPrisma } from './database.ts';
import { openFileStorage } from './files/config.ts';
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
    createPrisma,
    migrations: new URL('../prisma/migrations', import.meta.url),
  });
  const deps = { ...service, storage: await openFileStorage(config) };
  stack.use(startScheduledJobs({ ...service, queue: 'notes-jobs', jobs: createJobs(deps) }));
  const imports = stack.use(startImports(createImportDeps(deps), service));
  const server = await buildWorkerApp({ ...deps, wakeImports: imports.wake });
  await serve(stack, server, { port: config.PORT, host: config.HOST });
});
