import { isTransient } from './http/error.ts';
import { readEventStream } from './http/event-stream.ts';
import { backoffMs } from './http/retry.ts';
import type { Atrium, Delivery, DeliveryStreamQuery } from './index.ts';

/**
 * - `ready`: from now on no change is missed; read lists now
 * - `delivery`: a delivery as it is now, after a change
 * - `reset`: changes were missed; read lists again
 * - `disconnected`: the service cannot be reached at the moment; what is missed follows
 */
export type DeliveryChange =
  | { kind: 'ready' | 'reset' | 'disconnected' }
  | { kind: 'delivery'; delivery: Delivery };

/** The service sends a heartbeat every 15 s. */
const SILENCE_MAX_MS = 40_000;
/** A stream ends with its access token and is resumed. */
const STREAM_MAX_MS = 3_600_000;

/**
 * Follows the deliveries of the account, over lost connections and new access tokens, until the signal
 * is aborted.
 *
 * @throws AtriumError when the service refuses, for example without a session
 * @example
 * for await (const change of followDeliveries(atrium, { state: 'failed' }, { signal })) {
 *   if (change.kind === 'delivery') console.log(change.delivery.id);
 * }
 */
export async function* followDeliveries(
  atrium: Pick<Atrium, 'webhooks'>,
  query: DeliveryStreamQuery,
  { signal }: { signal: AbortSignal },
): AsyncGenerator<DeliveryChange> {
  let lastEventId: string | undefined;
  for (let attempt = 1; !signal.aborted; attempt += 1) {
    const silent = new AbortController();
    let timer = setTimeout(() => silent.abort(), SILENCE_MAX_MS);
    try {
      const stream = await atrium.webhooks.streamDeliveries(query, {
        signal: AbortSignal.any([signal, silent.signal]),
        deadlineMs: STREAM_MAX_MS,
        headers: lastEventId === undefined ? {} : { 'last-event-id': lastEventId },
      });
      for await (const { event, id, data } of readEventStream(stream)) {
        clearTimeout(timer);
        timer = setTimeout(() => silent.abort(), SILENCE_MAX_MS);
        attempt = 0;
        lastEventId = id ?? lastEventId;
        if (event === 'ready' || event === 'reset') yield { kind: event };
        if (event === 'delivery') yield { kind: event, delivery: JSON.parse(data ?? '') };
      }
    } catch (error) {
      if (signal.aborted) return;
      if (isRefusal(error)) throw error;
    } finally {
      clearTimeout(timer);
    }
    // An end is nothing to speak of unless the stream cannot be opened again.
    if (attempt > 0) yield { kind: 'disconnected' };
    await wait(backoffMs(Math.max(attempt, 1)), signal);
  }
}

function isRefusal(error: unknown): boolean {
  return error instanceof Error && error.name === 'AtriumError' && !isTransient(error);
}

function wait(delayMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, delayMs);
    signal.addEventListener(
      'abort',
      () => {
        clearTimeout(timer);
        resolve();
      },
      { once: true },
    );
  });
}
