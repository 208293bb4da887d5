import { MESSAGE_BATCH_MAX } from '@atrium/contracts/account-messages';
import { EVENT_BATCH_MAX, EVENTS_QUEUE, type OutboxQueue } from '@atrium/contracts/queues';
import type { Pool } from 'pg';
import { Lane } from './lane.ts';
import type { EventLogger } from './queue.ts';
import { within } from './waiting.ts';

export interface RelayOptions {
  /** Pool of the database that holds the outbox. */
  pool: Pool;
  redisUrl: string;
  queuePrefix: string;
  logger: EventLogger;
  /** The queues that this service writes to; `events` by default. Rows of others stay. */
  queues?: readonly OutboxQueue[];
  /** How long rows are ours without news; another relay takes them afterwards. */
  claimSeconds?: number;
  /** How often to look when nobody wakes the relay. */
  intervalMs?: number;
  /** Rows per job: of events at most 100, of messages at most 4. */
  batchSize?: number;
  /** Batches of one queue on their way at one time. */
  maxInFlight?: number;
}

export interface Relay extends AsyncDisposable {
  /** Something was committed for this queue (`events`): look now. Many calls make one look. */
  wake(queue?: OutboxQueue): void;
}

const DISPOSE_MS = 1_900;

/**
 * Starts carrying rows from the outbox to their queues. A row is deleted only when the job that
 * carries it has completed, so it may arrive twice and is never lost. Nothing that happens to
 * Postgres or Redis ends it; it keeps trying, at most 5 s apart. Any number of relays may share an
 * outbox. Disposal gives unfinished rows back and takes at most 2 s.
 *
 * A batch that fails waits and gives its place up; after two failures its rows travel one by one.
 * A message that its consumer names as failing is tried 20 times over most of a day and then set
 * aside: its row stays, with `due_at = 'infinity'` and the reason in `last_error`, is counted
 * by `outboxLag`, and is sent again once an operator sets `due_at` to NULL.
 */
export function startRelay(options: RelayOptions): Relay {
  const {
    queues = [EVENTS_QUEUE],
    claimSeconds = 30,
    intervalMs = 1_000,
    maxInFlight = 4,
  } = options;
  const lanes = new Map(
    queues.map((queue) => {
      const largest = queue === EVENTS_QUEUE ? EVENT_BATCH_MAX : MESSAGE_BATCH_MAX;
      const batchSize = Math.min(options.batchSize ?? largest, largest);
      return [
        queue,
        new Lane({ ...options, queue, claimSeconds, intervalMs, maxInFlight, batchSize }),
      ];
    }),
  );
  const all = [...lanes.values()];
  const finished = Promise.all(all.map((lane) => lane.run()));
  return {
    wake: (queue = EVENTS_QUEUE) => lanes.get(queue)?.wake(),
    [Symbol.asyncDispose]: async () => {
      for (const lane of all) lane.stop();
      await within(finished, DISPOSE_MS);
    },
  };
}
