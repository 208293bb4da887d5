import { startScheduledJobs } from '@atrium/events/scheduled-jobs';
import type { Logger } from '@atrium/service-kit/logger';
import type { ImportDeps } from './import-archive.ts';
import { runImports } from './run-imports.ts';

/** Finds what is left of a process that was killed, or was queued while Redis was away. */
const SAFETY_EVERY_MS = 15_000;
const RUN = 'run-imports';

/**
 * Imports archives as soon as they are uploaded, apart from the other scheduled jobs: it may take minutes. A
 * shutdown releases them at once, as the server may have requests to finish for longer than a process has.
 */
export function startImports(
  deps: ImportDeps,
  options: { redisUrl: string; queuePrefix: string; logger: Logger; shutdown: AbortSignal },
): AsyncDisposable & { wake: () => void } {
  const { logger } = options;
  const jobs = {
    [RUN]: {
      everyMs: SAFETY_EVERY_MS,
      run: (signal: AbortSignal) => runImports(deps, logger, signal),
    },
  };
  const scheduled = startScheduledJobs({
    ...options,
    queue: 'notes-imports',
    isParallel: true,
    jobs,
  });
  return {
    wake() {
      scheduled.runNow(RUN).catch((error: unknown) => {
        logger.warn({ err: error }, 'imports not woken, the next run finds what waits');
      });
    },
    [Symbol.asyncDispose]: () => scheduled[Symbol.asyncDispose](),
  };
}
