// Why it is so: docs/decisions/0035-notes-has-a-worker.md
import { EVENTS_QUEUE } from '@atrium/contracts/queues';
import { startScheduledJobs } from '@atrium/events/scheduled-jobs';
import type { ProcessContext } from '@atrium/service-kit/lifecycle';
import type { Server } from '@atrium/service-kit/server';
import { openService, type Timeouts } from '@atrium/service-kit/service';
import type { NotesWorkerConfig } from './config.ts';
import { createPrisma } from './database.ts';
import { openFileStorage } from './files/config.ts';
import { startImports } from './import/queue.ts';
import { buildWorkerApp, createImportDeps, type WorkerDeps } from './worker-app.ts';
import { createJobs } from './worker/jobs.ts';

interface Overrides extends Partial<WorkerDeps> {
  timeouts?: Timeouts;
  /** Whether it runs the jobs: tests do so themselves. */
  hasJobs?: boolean;
}

/** Opens everything that the worker of notes works with on the stack of its process. */
export async function openNotesWorker(
  context: ProcessContext,
  config: NotesWorkerConfig,
  { timeouts, hasJobs = true, ...overrides }: Overrides = {},
): Promise<WorkerDeps & { server: Server }> {
  const { stack, shutdown } = context;
  const service = await openService(context, {
    name: 'notes-worker',
    product: 'notes',
    config,
    createPrisma,
    migrations: new URL('../prisma/migrations', import.meta.url),
    queues: [EVENTS_QUEUE],
    timeouts,
  });
  const deps: WorkerDeps = {
    ...service,
    storage: await openFileStorage(config),
    wakeImports: () => undefined,
    ...overrides,
  };
  if (hasJobs) {
    stack.use(startScheduledJobs({ ...service, queue: 'notes-jobs', jobs: createJobs(deps) }));
    const imports = startImports(createImportDeps(deps), { ...service, shutdown });
    deps.wakeImports = stack.use(imports).wake;
  }
  return { ...deps, server: await buildWorkerApp(deps) };
}
