import { isMessage, type Message, type MessageResult } from '@atrium/contracts/account-messages';
import type { Inbox } from '@atrium/contracts/queues';
import { type Job, Worker } from 'bullmq';
import { blockingConnection, type EventLogger, type QueueLocation } from './queue.ts';
import { within } from './waiting.ts';

export interface MessageConsumerOptions extends QueueLocation {
  queue: Inbox;
  /**
   * Does what one message asks for. A message may come twice, also at the same time, and in any
   * order: doing it again must change nothing. Whatever it throws brings the message back later.
   */
  handle: (message: Message) => Promise<void>;
  logger: EventLogger;
  /** Jobs in hand at one time, of at most 4 messages each; 2 by default. */
  concurrency?: number;
}

/** A job whose worker died is handed to another one after about this long. */
const LOCK_MS = 10_000;
const STALLED_CHECK_MS = 5_000;
/** How often a job may be taken over from the dead before it fails, and its relay sends it anew. */
const MAX_TAKEOVERS = 5;
const CLOSE_MS = 5_000;

/**
 * Handles the messages of one inbox for as long as it lives. One that fails is named in the answer
 * to the relay that sent it, which sends it again later; the others of its job are done with.
 * Disposal finishes what is in hand, for at most 5 s: what is cut off comes again.
 */
export function startMessageConsumer(options: MessageConsumerOptions): AsyncDisposable {
  const { queue, redisUrl, queuePrefix, logger, concurrency = 2 } = options;
  const worker = new Worker<unknown, MessageResult>(queue, (job) => handleAll(job, options), {
    connection: blockingConnection(redisUrl),
    prefix: queuePrefix,
    concurrency,
    lockDuration: LOCK_MS,
    stalledInterval: STALLED_CHECK_MS,
    maxStalledCount: MAX_TAKEOVERS,
  });
  worker.on('error', (error) => logger.warn({ err: error, queue }, 'inbox is away'));
  return {
    async [Symbol.asyncDispose]() {
      await within(worker.close(), CLOSE_MS);
      void within(worker.disconnect(), CLOSE_MS);
    },
  };
}

async function handleAll(
  job: Job<unknown>,
  { handle, logger, queue }: MessageConsumerOptions,
): Promise<MessageResult> {
  const failed: MessageResult['failed'] = [];
  for (const entry of messagesIn(job.data)) {
    const id = idOf(entry);
    try {
      if (!isMessage(entry)) throw new Error('It is not a message that this service knows');
      await handle(entry);
      const { kind, accountId, requestId } = entry;
      logger.info({ messageId: id, kind, accountId, requestId, queue }, 'message handled');
    } catch (error) {
      logger.warn({ err: error, messageId: id, queue }, 'message not handled');
      failed.push({ id, reason: error instanceof Error ? error.message : String(error) });
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
