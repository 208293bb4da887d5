import { EMAIL_QUEUE } from '@atrium/contracts/queues';
import { blockingConnection, openQueue } from '@atrium/events/queue';
import { within } from '@atrium/events/timing';
import type { Logger } from '@atrium/service-kit/logger';
import { Worker } from 'bullmq';
import Type from 'typebox';
import Value from 'typebox/value';
import type { EmailOutbox } from './outbox.ts';
import type { EmailTransport } from '../transport/transport.ts';

const BATCH_SIZE = 100;
const CONCURRENCY = 5;
const SWEEP_INTERVAL_MS = 5000;
const CLOSE_TIMEOUT_MS = 5000;

const MailJob = Type.Object({ mailId: Type.String() });
type MailJob = Type.Static<typeof MailJob>;

export interface EmailSender extends AsyncDisposable {
  /** Call after a commit that posted mails. */
  wake(): void;
}

/**
 * Moves due mails from the outbox to the queue, and sends those the queue hands to this process.
 * Nothing depends on the queue's memory: a job that Redis lost, or that failed, is put again by the
 * sweep for as long as its row is due, and a row is claimed before it is sent.
 */
export function startEmailSender(options: {
  outbox: EmailOutbox;
  transport: EmailTransport;
  redisUrl: string;
  queuePrefix: string;
  logger: Logger;
  sweepIntervalMs?: number;
}): EmailSender {
  const { outbox, transport, redisUrl, queuePrefix, logger } = options;
  const opened = openQueue<MailJob>(EMAIL_QUEUE, { redisUrl, queuePrefix }, logger);

  async function enqueue(ids: string[]): Promise<void> {
    await opened.queue.addBulk(
      ids.map((mailId) => ({
        name: 'send',
        data: { mailId },
        // The id of a waiting job is taken: sweeping again does not queue a mail twice.
        opts: { jobId: `mail-${mailId}`, removeOnComplete: true, removeOnFail: true },
      })),
    );
  }

  async function enqueueDue(): Promise<void> {
    let ids: string[];
    do {
      ids = await outbox.takeDue(BATCH_SIZE);
      try {
        await enqueue(ids);
      } catch (error) {
        await outbox.untake(ids);
        throw error;
      }
    } while (ids.length === BATCH_SIZE && !isClosing);
  }

  let isClosing = false;
  const sweep = coalesced(async () => {
    try {
      await enqueueDue();
    } catch (error) {
      logger.warn({ err: error }, 'mails wait: the outbox or the queue is unavailable');
    }
  });

  async function send(mailId: string): Promise<void> {
    const mail = await outbox.claim(mailId);
    if (mail === undefined) {
      return;
    }
    const fields = { mailId, mailKind: mail.kind, attempt: mail.attempts };
    try {
      await transport.send({ id: mailId, kind: mail.kind, content: outbox.open(mail) });
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      const outcome = await outbox.recordFailure(mail, reason);
      logger.warn({ ...fields, err: error, outcome }, 'mail could not be sent');
      return;
    }
    await outbox.recordSent(mailId);
    logger.info(fields, 'mail sent');
  }

  const worker = new Worker(EMAIL_QUEUE, (job) => send(Value.Parse(MailJob, job.data).mailId), {
    connection: blockingConnection(redisUrl),
    prefix: queuePrefix,
    concurrency: CONCURRENCY,
  });
  worker.on('error', (error) => logger.warn({ err: error }, 'mail worker lost its connection'));

  const timer = setInterval(() => sweep.request(), options.sweepIntervalMs ?? SWEEP_INTERVAL_MS);
  sweep.request();
  return {
    wake: () => sweep.request(),
    async [Symbol.asyncDispose]() {
      isClosing = true;
      clearInterval(timer);
      await within(sweep.settled(), CLOSE_TIMEOUT_MS);
      // Mails being sent are finished; without Redis closing would never end.
      await within(worker.close(), CLOSE_TIMEOUT_MS);
      void within(worker.disconnect(), CLOSE_TIMEOUT_MS);
      await opened[Symbol.asyncDispose]();
    },
  };
}

/** Runs `work` one at a time; requests that come while it runs make one further run. */
function coalesced(work: () => Promise<void>) {
  let running: Promise<void> | undefined;
  let isRequested = false;
  async function drain(): Promise<void> {
    while (isRequested) {
      isRequested = false;
      await work();
    }
    running = undefined;
  }
  return {
    request(): void {
      isRequested = true;
      running ??= drain();
    },
    settled: async (): Promise<void> => running,
  };
}
