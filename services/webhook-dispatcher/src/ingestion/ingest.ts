import { type DeliveryBody, EventEnvelope } from '@atrium/contracts/events';
import { patternsOf } from '@atrium/contracts/event-names';
import { newId } from '@atrium/contracts/ids';
import { DELIVERY_BODY_MAX_BYTES } from '@atrium/contracts/webhooks/publishing';
import type { Logger } from '@atrium/service-kit/logger';
import { Compile } from 'typebox/compile';
import { newWork } from '../filters/filter.ts';
import type { MatcherOf } from '../filters/matchers.ts';
import { type Backlogs, findDeliveriesToHold } from './held-deliveries.ts';
import type { Candidate, IngestionStore, NewDelivery, NewEvent, RejectedEvent } from './store.ts';

/** More than any event has; what is not an event may have any length. */
const REJECTED_PAYLOAD_MAX_CHARACTERS = 1_048_576;
const eventEnvelope = Compile(EventEnvelope);

export interface IngestDeps extends Backlogs {
  store: IngestionStore;
  logger: Logger;
  matcherOf: MatcherOf;
  onRejected: (count: number) => void;
  /** Called with how many deliveries filters have kept away. */
  onUnmatched: (count: number) => void;
  clockMs: () => number;
  random: () => number;
}

/** With its data, which filters read. */
interface ParsedEvent extends NewEvent {
  event: EventEnvelope;
}

/**
 * Stores a batch of events with a delivery for each matching subscription. An event that cannot be
 * ingested is put into rejected_events with its reason, and does not hold up the others. Deliveries of a
 * subscription that is full are held, so that a flood delays only its account.
 *
 * @returns the subscriptions that have new deliveries
 */
export async function ingestBatch(payload: unknown, deps: IngestDeps): Promise<string[]> {
  const { store, logger } = deps;
  const events: ParsedEvent[] = [];
  const rejected: RejectedEvent[] = [];
  for (const entry of entriesOf(payload)) {
    const parsed = parseEvent(entry);
    if ('reason' in parsed) rejected.push(rejection(entry, parsed.reason));
    else events.push(parsed);
  }
  const subscriptionIds = await storeEvents(events, rejected, deps);
  if (rejected.length > 0) {
    await store.reject(rejected);
    deps.onRejected(rejected.length);
    for (const { eventId, reason } of rejected) logger.error({ eventId, reason }, 'event rejected');
  }
  return [...subscriptionIds];
}

async function storeEvents(
  parsed: readonly ParsedEvent[],
  rejected: RejectedEvent[],
  deps: IngestDeps,
): Promise<Set<string>> {
  const { store } = deps;
  if (parsed.length === 0) return new Set();
  try {
    const candidates = await store.findCandidates(parsed);
    const { events, deliveries } = fanOut(parsed, candidates, deps);
    const isHeld = await findDeliveriesToHold(deliveries, candidates, deps);
    return await store.insert(events, deliveries, isHeld);
  } catch (error) {
    if (!isDataError(error)) throw error;
    const [only] = parsed;
    if (parsed.length === 1 && only !== undefined) {
      rejected.push(rejection(only.event, error.message));
      return new Set();
    }
    // One of them is the cause: one by one, so that it is found and the others are stored.
    const subscriptionIds = new Set<string>();
    for (const event of parsed) {
      for (const id of await storeEvents([event], rejected, deps)) subscriptionIds.add(id);
    }
    return subscriptionIds;
  }
}

/**
 * Whether Postgres refuses the rows themselves: a data exception, a constraint, a limit (SQLSTATE
 * classes 22, 23, 54). Any other error may pass, so the batch is retried.
 */
function isDataError(error: unknown): error is Error {
  const isCoded = error instanceof Error && 'code' in error && typeof error.code === 'string';
  return isCoded && /^(22|23|54)/.test(String(error.code));
}

/** What a job holds; none of it has been checked. */
export function entriesOf(payload: unknown): unknown[] {
  const isBatch = typeof payload === 'object' && payload !== null && 'events' in payload;
  return isBatch && Array.isArray(payload.events) ? payload.events : [payload];
}

function parseEvent(entry: unknown): ParsedEvent | { reason: string } {
  if (!eventEnvelope.Check(entry)) {
    const [first] = eventEnvelope.Errors(entry);
    return { reason: `It is not an event: ${first?.instancePath} ${first?.message}` };
  }
  const body = deliveryBody(entry);
  const sizeBytes = Buffer.byteLength(body);
  if (sizeBytes > DELIVERY_BODY_MAX_BYTES) {
    return { reason: `Its body has ${sizeBytes} bytes, more than ${DELIVERY_BODY_MAX_BYTES}` };
  }
  return { event: entry, body };
}

/** The bytes that every attempt for an event sends; made once, and stored. */
export function deliveryBody(event: EventEnvelope): string {
  const body: DeliveryBody = {
    id: event.id,
    event: event.event,
    createdAt: event.createdAt,
    ...(event.occurredAt !== undefined && { occurredAt: event.occurredAt }),
    data: event.data,
  };
  return JSON.stringify(body);
}

/**
 * A delivery for each event and each subscription of its account that asks for its kind and whose filter it
 * matches.
 */
function fanOut(
  parsed: readonly ParsedEvent[],
  candidates: readonly Candidate[],
  { matcherOf, onUnmatched, clockMs }: Pick<IngestDeps, 'matcherOf' | 'onUnmatched' | 'clockMs'>,
): { events: NewEvent[]; deliveries: NewDelivery[] } {
  const nowMs = clockMs();
  const byAccount = Map.groupBy(candidates, ({ accountId }) => accountId);
  const deliveries: NewDelivery[] = [];
  let unmatchedCount = 0;
  const events = parsed.map(({ event, body }): NewEvent => {
    const patterns = patternsOf(event.event);
    const unmatched: string[] = [];
    const work = newWork();
    for (const { subscriptionId, events: asked, filter } of byAccount.get(event.accountId) ?? []) {
      if (!patterns.some((pattern) => asked.includes(pattern))) continue;
      if (filter !== null && !matcherOf(filter)(event, work)) {
        unmatched.push(subscriptionId);
        continue;
      }
      const { id: eventId, accountId } = event;
      const id = newId('dlv', nowMs);
      deliveries.push({ id, accountId, eventId, event: event.event, subscriptionId });
    }
    unmatchedCount += unmatched.length;
    return unmatched.length === 0 ? { event, body } : { event, body, unmatched };
  });
  if (unmatchedCount > 0) onUnmatched(unmatchedCount);
  return { events, deliveries };
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
