import { type Queue, WaitingError } from 'bullmq';
import { createErrorLog, type EventLogger, openQueue, type QueueLocation } from './queue.ts';
import { untilAborted, within } from './timing.ts';
import { openWorker } from './worker.ts';

export interface ScheduledJob {
  everyMs: number;
  /**
   * The signal is aborted after ten minutes and when the process stops. A run that throws because
   * its process stops is started again by another one.
   */
  run(signal: AbortSignal): Promise<void>;
}

export interface ScheduledJobsOptions<Name extends string> extends QueueLocation {
  queue: string;
  jobs: Record<Name, ScheduledJob>;
  logger: EventLogger;
  /** Whether each process may run a job while others do; otherwise all together run one. */
  isParallel?: boolean;
  /** Ends a run and starts no more once it is aborted, for runs that need not wait for the disposal. */
  shutdown?: AbortSignal;
}

export interface ScheduledJobs<Name extends string> extends AsyncDisposable {
  /**
   * Queues one run, also when one is under way. Resolves once it is queued; rejects while Redis is
   * away. Requests made before that run begins are merged into it.
   */
  runNow(name: Name): Promise<void>;
}

/** Requests runs from a process that does not run the jobs of this queue itself. */
export function openJobRequests(
  name: string,
  location: QueueLocation,
  logger: EventLogger,
): ScheduledJobs<string> {
  const { queue, ...opened } = openQueue(name, location, logger);
  return { runNow: (job) => requestRun(queue, job), ...opened };
}

async function requestRun(queue: Queue, id: string): Promise<void> {
  await queue.add(id, {}, { ...JOB_OPTIONS, deduplication: { id, keepLastIfActive: true } });
}

const RUN_MAX_MS = 10 * 60_000;
/** FLUSHALL goes unnoticed on an open connection: the schedule is restored at least this often. */
const RESTORE_MAX_MS = 30_000;
const RESTORE_MIN_MS = 500;
/** A run whose process died starts again elsewhere after about this long. */
const LOCK_MS = 30_000;
const STALLED_CHECK_MS = 5_000;
const JOB_OPTIONS = { removeOnComplete: true, removeOnFail: { count: 100 } };
const CLOSE_MS = 5_000;

/**
 * Runs jobs at fixed intervals, the first time at once. All processes that use the same queue share one
 * schedule and, unless it is parallel, run one job at a time between them. A failed run is logged and not
 * repeated before it is due again. Disposal aborts a run and waits up to 5 s for it to end.
 */
export function startScheduledJobs<Name extends string>(
  options: ScheduledJobsOptions<Name>,
): ScheduledJobs<Name> {
  const { queue: name, redisUrl, queuePrefix, logger, isParallel = false, shutdown } = options;
  const jobs = new Map<string, ScheduledJob>(Object.entries(options.jobs));
  const { queue, ...opened } = openQueue(name, options, logger);
  const stopping = new AbortController();

  const logFault = createErrorLog(
    logger,
    { queue: name },
    'jobs could not be scheduled, will try again',
  );
  const restore = async () => {
    try {
      await (isParallel ? queue.removeGlobalConcurrency() : queue.setGlobalConcurrency(1));
      for (const [id, { everyMs }] of jobs) {
        await queue.upsertJobScheduler(id, { every: everyMs }, { name: id, opts: JOB_OPTIONS });
      }
    } catch (error) {
      if (!stopping.signal.aborted) logFault(error);
    }
  };
  let restoring: Promise<void> | undefined;
  const scheduleRestore = () => {
    restoring ??= restore().finally(() => (restoring = undefined));
  };
  queue.getBackend().on('ready', scheduleRestore);
  scheduleRestore();
  const shortestMs = Math.min(...Array.from(jobs.values(), ({ everyMs }) => everyMs));
  const restoreMs = Math.max(RESTORE_MIN_MS, Math.min(RESTORE_MAX_MS, shortestMs));
  const timer = setInterval(scheduleRestore, restoreMs);

  const worker = openWorker(
    name,
    async (queued, token) => {
      const job = jobs.get(queued.name);
      if (job === undefined) {
        // An older version scheduled it.
        await queue.removeJobScheduler(queued.name);
        return;
      }
      try {
        const late = AbortSignal.timeout(RUN_MAX_MS);
        await untilAborted(job.run(AbortSignal.any([stopping.signal, late])), late);
      } catch (error) {
        if (stopping.signal.aborted) {
          await queued.moveToWait(token);
          throw new WaitingError();
        }
        logger.warn(
          { err: error, job: queued.name },
          'scheduled job failed, next run as scheduled',
        );
        throw error;
      }
    },
    {
      redisUrl,
      queuePrefix,
      logger,
      lockDuration: LOCK_MS,
      stalledInterval: STALLED_CHECK_MS,
      maxStalledCount: Number.MAX_SAFE_INTEGER,
    },
  );
  const stop = () => {
    stopping.abort();
    clearInterval(timer);
    return worker[Symbol.asyncDispose]();
  };
  shutdown?.addEventListener('abort', () => void stop(), { once: true });

  return {
    runNow: (id) => requestRun(queue, id),
    async [Symbol.asyncDispose]() {
      const stopped = stop();
      await within(restoring ?? Promise.resolve(), CLOSE_MS);
      await stopped;
      await opened[Symbol.asyncDispose]();
    },
  };
}
