import { EMAIL_QUEUE } from '@atrium/contracts/queues';
import { openQueue } from '@atrium/events/queue';
import { startScheduledJobs } from '@atrium/events/scheduled-jobs';
import { openWorker } from '@atrium/events/worker';
import type { Logger } from '@atrium/service-kit/logger';
import type { Metrics } from '@atrium/service-kit/metrics';
import type { Job } from 'bullmq';
import Type from 'typebox';
import Value from 'typebox/value';
import { type EmailTransport, isRecipientRefused } from '../transport/transport.ts';
import type { MayWrite } from './email-owner.ts';
import { observeEmails } from './metrics.ts';
import { afterFailure, type EmailOutbox, type FailureOutcome } from './store.ts';

const SCHEDULE_QUEUE = 'email-schedule';
const BATCH_SIZE = 100;
const CONCURRENCY = 5;
const RETRY_INTERVAL_MS = 5000;

const EmailJob = Type.Object({ emailId: Type.String() });
type EmailJob = Type.Static<typeof EmailJob>;

/** The owner of the address has been sent enough. */
class LimitedError extends Error {}

export interface EmailSender extends AsyncDisposable {
  /** Looks at the outbox now. */
  wake(): void;
}

/**
 * Queues the messages of the outbox that are due, and sends those that the queue assigns to this
 * process. Redis may lose jobs: a message is queued again for as long as its row is due, and leased
 * before it is sent.
 */
export function startEmailSender(options: {
  outbox: EmailOutbox;
  transport: EmailTransport;
  mayWrite: MayWrite;
  redisUrl: string;
  queuePrefix: string;
  metrics: Metrics;
  logger: Logger;
}): EmailSender {
  const { outbox, transport, mayWrite, redisUrl, queuePrefix, metrics, logger } = options;
  const countAttempt = observeEmails(metrics, outbox);
  const { queue, ...opened } = openQueue<EmailJob>(EMAIL_QUEUE, { redisUrl, queuePrefix }, logger);

  async function queueDue(signal: AbortSignal): Promise<void> {
    let ids = await outbox.listDue(BATCH_SIZE);
    while (ids.length > 0 && !signal.aborted) {
      const jobs = ids.map((emailId) => ({
        name: 'send',
        data: { emailId },
        // Adding a job whose id is still waiting does nothing.
        opts: { jobId: `email-${emailId}`, removeOnComplete: true, removeOnFail: true },
      }));
      await queue.addBulk(jobs);
      await outbox.markQueued(ids);
      ids = await outbox.listDue(BATCH_SIZE);
    }
  }

  const schedule = startScheduledJobs({
    queue: SCHEDULE_QUEUE,
    jobs: { 'queue-due-email': { everyMs: RETRY_INTERVAL_MS, run: queueDue } },
    redisUrl,
    queuePrefix,
    logger,
  });

  async function send(emailId: string): Promise<void> {
    const email = await outbox.lease(emailId);
    if (email === undefined) {
      return;
    }
    const fields = { emailId, emailKind: email.kind, attempt: email.attempts };
    try {
      const content = outbox.decrypt(email);
      // A retry was counted as the first attempt.
      const isCounted = email.attempts > 1;
      if (!isCounted && !(await mayWrite({ kind: email.kind, to: content.to }))) {
        throw new LimitedError('Too many emails to an address that no account has verified');
      }
      await transport.send({ id: emailId, kind: email.kind, content });
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      const outcome: FailureOutcome =
        error instanceof LimitedError || isRecipientRefused(error)
          ? { kind: 'refused' }
          : afterFailure(email.attempts);
      await outbox.recordFailure(email, outcome, reason);
      countAttempt(outcome.kind);
      logger.warn({ ...fields, err: error, outcome }, 'email could not be sent');
      return;
    }
    await outbox.recordSent(emailId);
    countAttempt('sent');
    logger.info(fields, 'email sent');
  }

  const work = (job: Job<unknown>) => send(Value.Parse(EmailJob, job.data).emailId);
  const worker = openWorker(EMAIL_QUEUE, work, {
    redisUrl,
    queuePrefix,
    logger,
    concurrency: CONCURRENCY,
  });

  return {
    wake() {
      schedule.runNow('queue-due-email').catch((error: unknown) => {
        logger.debug({ err: error }, 'email waits in the outbox until Redis is back');
      });
    },
    async [Symbol.asyncDispose]() {
      await schedule[Symbol.asyncDispose]();
      // Waits for messages that are being sent.
      await worker[Symbol.asyncDispose]();
      await opened[Symbol.asyncDispose]();
    },
  };
}
