import { EventEnvelope } from '@atrium/contracts/events';
import { EVENTS_QUEUE } from '@atrium/contracts/queues';
import { blockingConnection } from '@atrium/events/queue';
import { within } from '@atrium/events/waiting';
import type { Logger } from '@atrium/service-kit/logger';
import { type Job, Worker } from 'bullmq';
import { Compile } from 'typebox/compile';
import type { Reserve } from '../scheduling/reservations.ts';
import { type AcceptedEvent, deliveryBody, fanOut } from './fan-out.ts';
import type { IntakeStore, RejectedEvent } from './store.ts';

const CONCURRENT_BATCHES = 4;
const CLOSE_MS = 5_000;
/** How long a batch waits that a killed worker had begun: a lock that ran out, and a look for those. */
const LOCK_MS = 10_000;
const STALLED_CHECK_MS = 5_000;
/** The largest body that is sent to a receiver. */
const BODY_MAX_BYTES = 262_144;
/** More than any event has; what is no event may have any length. */
const REJECTED_PAYLOAD_MAX_CHARACTERS = 1_048_576;
const eventEnvelope = Compile(EventEnvelope);

export interface TakeInDeps {
  store: IntakeStore;
  /** Keeps places for deliveries that can be sent as soon as they are stored. */
  reserve: Reserve;
  logger: Logger;
  onRejected: (count: number) => void;
  clockMs: () => number;
}

/**
 * Stores a batch of events and their deliveries, and starts those that have a place; answers the
 * subscriptions at which others wait. An event that cannot be taken in is set aside with its reason,
 * and holds up no other.
 */
export async function takeIn(payload: unknown, deps: TakeInDeps): Promise<string[]> {
  const { store, logger } = deps;
  const events: AcceptedEvent[] = [];
  const rejected: RejectedEvent[] = [];
  for (const entry of entriesOf(payload)) {
    const read = readEvent(entry);
    if ('event' in read) events.push(read);
    else rejected.push(rejection(entry, read.fault));
  }
  const taken = await takeInValid(events, rejected, deps);
  if (rejected.length > 0) {
    await store.reject(rejected);
    deps.onRejected(rejected.length);
    for (const { eventId, reason } of rejected) logger.error({ eventId, reason }, 'event rejected');
  }
  return taken;
}

async function takeInValid(
  events: readonly AcceptedEvent[],
  rejected: RejectedEvent[],
  deps: TakeInDeps,
): Promise<string[]> {
  if (events.length === 0) return [];
  const { store, reserve, clockMs } = deps;
  try {
    const deliveries = fanOut(events, await store.candidates(events), clockMs());
    using reservation = reserve(deliveries.filter(({ paused }) => !paused));
    const waiting = new Set<string>();
    for await (const stored of store.store(events, deliveries, reservation)) {
      reservation.start(stored.filter(({ id }) => reservation.ids.has(id)));
      for (const { id, subscriptionId } of stored) {
        if (!reservation.ids.has(id)) waiting.add(subscriptionId);
      }
    }
    return [...waiting];
  } catch (error) {
    if (!isAboutData(error)) throw error;
    const [only] = events;
    if (events.length === 1 && only !== undefined) {
      const reason = error instanceof Error ? error.message : 'It could not be stored';
      rejected.push(rejection(only.event, reason));
      return [];
    }
    // One of them is the cause: each by itself, so that it is found and the others go on.
    const taken: string[] = [];
    for (const event of events) taken.push(...(await takeInValid([event], rejected, deps)));
    return [...new Set(taken)];
  }
}

/**
 * Whether Postgres refuses the rows themselves: a data exception, a constraint, a limit (SQLSTATE
 * classes 22, 23, 54). Anything else is the database's fault or ours, and passes.
 */
function isAboutData(error: unknown): boolean {
  const isCoded = error instanceof Error && 'code' in error && typeof error.code === 'string';
  return isCoded && /^(22|23|54)/.test(String(error.code));
}

function entriesOf(payload: unknown): unknown[] {
  const isBatch = typeof payload === 'object' && payload !== null && 'events' in payload;
  return isBatch && Array.isArray(payload.events) ? payload.events : [payload];
}

function readEvent(entry: unknown): AcceptedEvent | { fault: string } {
  if (!eventEnvelope.Check(entry)) {
    const [first] = eventEnvelope.Errors(entry);
    return { fault: `It is not an event: ${first?.instancePath} ${first?.message}` };
  }
  const body = deliveryBody(entry);
  const sizeBytes = Buffer.byteLength(body);
  if (sizeBytes > BODY_MAX_BYTES) {
    return { fault: `Its body has ${sizeBytes} bytes, more than ${BODY_MAX_BYTES}` };
  }
  return { event: entry, body };
}

function rejection(entry: unknown, reason: string): RejectedEvent {
  const id = typeof entry === 'object' && entry !== null && 'id' in entry ? entry.id : null;
  const payload = JSON.stringify(entry) ?? 'undefined';
  return {
    eventId: typeof id === 'string' ? id : null,
    reason,
    payload: payload.slice(0, REJECTED_PAYLOAD_MAX_CHARACTERS).toWellFormed(),
  };
}

export interface IntakeOptions extends TakeInDeps {
  redisUrl: string;
  queuePrefix: string;
  /** Told at which subscriptions new deliveries wait. */
  onDeliveries: (subscriptionIds: string[]) => void;
}

/**
 * Takes events off the queue for as long as it lives. A batch that fails stays failed: the relay that
 * sent it still has its events and sends them again.
 */
export function startIntake(options: IntakeOptions): AsyncDisposable {
  const { redisUrl, queuePrefix, logger, onDeliveries } = options;
  const work = async (job: Job<unknown>): Promise<void> => {
    const subscriptionIds = await takeIn(job.data, options);
    if (subscriptionIds.length > 0) onDeliveries(subscriptionIds);
  };
  const worker = new Worker<unknown>(EVENTS_QUEUE, work, {
    connection: blockingConnection(redisUrl),
    prefix: queuePrefix,
    concurrency: CONCURRENT_BATCHES,
    lockDuration: LOCK_MS,
    stalledInterval: STALLED_CHECK_MS,
  });
  worker.on('error', (error) => logger.warn({ err: error }, 'events queue is away'));
  worker.on('failed', (job, error) => {
    logger.error({ err: error, jobId: job?.id }, 'a batch of events was not taken in');
  });
  return {
    async [Symbol.asyncDispose]() {
      // Running batches are finished first; while Redis is away they cannot be, nor need they be:
      // intake is idempotent and the relay sends them again.
      await within(worker.close(), CLOSE_MS);
      void within(worker.disconnect(), CLOSE_MS);
    },
  };
}
