import type { EventToPublish } from '../publishing-types.ts';

const EVENTS_MAX = 100;
/** A request may have 2 MiB. */
const BYTES_MAX = 1_500_000;
/** A request may have 20,000 values; the service counts commas, and opening brackets and braces. */
const VALUES_MAX = 20_000;
const VALUE_START = /[,[{]/;

/** Cuts events into batches that one request can have each; one that is too large for any is alone. */
export function batchesOf(events: readonly EventToPublish[]): EventToPublish[][] {
  const batches: EventToPublish[][] = [];
  let batch: EventToPublish[] = [];
  let bytes = 0;
  let values = 0;
  for (const event of events) {
    const json = JSON.stringify(event);
    const eventBytes = Buffer.byteLength(json);
    const eventValues = json.split(VALUE_START).length;
    bytes += eventBytes;
    values += eventValues;
    const isFull = batch.length === EVENTS_MAX || bytes > BYTES_MAX || values > VALUES_MAX;
    if (batch.length === 0 || isFull) {
      batches.push((batch = []));
      bytes = eventBytes;
      values = eventValues;
    }
    batch.push(event);
  }
  return batches;
}
