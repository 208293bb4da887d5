import type { ScheduledJobs } from '@atrium/events/scheduled-jobs';
import type { Logger } from '@atrium/service-kit/logger';
import type { PublishChanges } from '../live/change-publisher.ts';
import type { WakeWorkers } from '../scheduling/wake.ts';
import type { RecoveryStore } from './store.ts';

/** The queue and the name of the job that carries recoveries out. */
export const RECOVERIES_QUEUE = 'webhook-recoveries';
export const RECOVERIES_JOB = 'recoveries';

const BATCH_SIZE = 500;

/** Asks the workers for a run. Never rejects: a lost request costs one interval. */
export type RequestRecoveries = () => Promise<void>;

export function createRecoveryRequests(
  jobs: Pick<ScheduledJobs<string>, 'runNow'>,
  logger: Logger,
): RequestRecoveries {
  return async () => {
    try {
      await jobs.runNow(RECOVERIES_JOB);
    } catch (error) {
      logger.warn({ err: error }, 'recoveries were not requested and start at their next interval');
    }
  };
}

export interface RecoveriesDeps {
  store: Pick<RecoveryStore, 'advance'>;
  wakeWorkers: WakeWorkers;
  publishChanges: PublishChanges;
}

/**
 * Carries out all running recoveries in turn, in batches of one transaction each: when a worker dies
 * in the middle, the next run continues after its last batch.
 */
export async function runRecoveries(deps: RecoveriesDeps, signal: AbortSignal): Promise<void> {
  let lastId = '';
  while (!signal.aborted) {
    const step = await deps.store.advance(lastId, BATCH_SIZE);
    if (step === undefined) return;
    lastId = step.recoveryId;
    if (step.deliveryIds.length === 0) continue;
    deps.publishChanges(step.accountId, step.deliveryIds);
    await deps.wakeWorkers([step.subscriptionId]);
  }
}
