import { followStream } from './http/follow-stream.ts';
import type { CallOptions } from './http/send.ts';
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
  const open = (options: CallOptions) => atrium.webhooks.streamDeliveries(query, options);
  for await (const block of followStream(open, signal)) {
    if (block === 'disconnected') yield { kind: block };
    else if (block.event === 'ready' || block.event === 'reset') yield { kind: block.event };
    else if (block.event === 'delivery') {
      yield { kind: block.event, delivery: JSON.parse(block.data ?? '') };
    }
  }
}
