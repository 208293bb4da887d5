import { isMessage, type Message, type MessageResult } from '@atrium/contracts/account-messages';
import { parseTraceparent } from '@atrium/contracts/traceparent';
import type { Inbox } from '@atrium/contracts/queues';
import type { Job } from 'bullmq';
import type { EventLogger, QueueLocation } from './queue.ts';
import { recordProcessed } from './queue-spans.ts';
import type { Tracing } from './tracing.ts';
import { openWorker } from './worker.ts';

export interface MessageConsumerOptions extends QueueLocation {
  queue: Inbox;
  /**
   * Handles one message. Messages may arrive twice, also at the same time, and in any order, so
   * handling must be idempotent. A message whose handler throws is sent again later.
   */
  handle: (message: Message) => Promise<void>;
  logger: EventLogger;
  tracing?: Tracing | undefined;
}

/** Jobs, of at most 4 messages each, that a process handles at the same time. */
const CONCURRENCY = 2;
/** Another worker takes over a job whose worker has died after about this long. */
const LOCK_MS = 10_000;
const STALLED_CHECK_MS = 5_000;
/** A job that is taken over more often fails, and its relay sends it again. */
const MAX_TAKEOVERS = 5;

/**
 * Handles the messages of one inbox. The job's result names the messages that failed, and the relay
 * sends only those again. Disposal waits up to 5 s for active jobs; what is cut off is sent again.
 */
export function startMessageConsumer(options: MessageConsumerOptions): AsyncDisposable {
  const { queue, redisUrl, queuePrefix, logger } = options;
  return openWorker<unknown, MessageResult>(queue, (job) => handleAll(job, options), {
    redisUrl,
    queuePrefix,
    logger,
    concurrency: CONCURRENCY,
    lockDuration: LOCK_MS,
    stalledInterval: STALLED_CHECK_MS,
    maxStalledCount: MAX_TAKEOVERS,
  });
}

async function handleAll(
  job: Job<unknown>,
  { handle, logger, queue, tracing }: MessageConsumerOptions,
): Promise<MessageResult> {
  const failed: MessageResult['failed'] = [];
  for (const entry of messagesIn(job.data)) {
    const id = idOf(entry);
    const startMs = Date.now();
    let error: string | undefined;
    try {
      if (!isMessage(entry)) throw new Error('It is not a message that this service knows');
      await handle(entry);
      const { kind, accountId, requestId } = entry;
      const trace_id = parseTraceparent(entry.traceparent)?.traceId;
      logger.info(
        { messageId: id, kind, accountId, requestId, trace_id, queue },
        'message handled',
      );
    } catch (cause) {
      error = cause instanceof Error ? cause.message : String(cause);
      logger.warn({ err: cause, messageId: id, queue }, 'message not handled, will be sent again');
      failed.push({ id, reason: error });
    }
    if (tracing !== undefined) {
      recordProcessed(tracing, [entry], { queue, addedMs: job.timestamp, startMs, error });
    }
  }
  return { failed };
}

function messagesIn(payload: unknown): unknown[] {
  const isBatch = typeof payload === 'object' && payload !== null && 'messages' in payload;
  if (!isBatch || !Array.isArray(payload.messages)) throw new Error('The job holds no messages');
  return payload.messages;
}

function idOf(entry: unknown): string {
  const hasId = typeof entry === 'object' && entry !== null && 'id' in entry;
  return hasId && typeof entry.id === 'string' ? entry.id : '';
}
