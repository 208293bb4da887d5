import type { Delivery } from '@atrium/contracts/webhooks/deliveries';
import {
  openEventStream,
  type OpenedStream as Opened,
  type StreamedEvent as Streamed,
} from '@atrium/testkit/event-stream';

export type StreamedEvent = Streamed<Delivery>;
export type OpenedStream = Opened<Delivery>;

export function openStream(
  origin: string,
  { query = '', ...options }: { token: string; query?: string; lastEventId?: string },
): Promise<OpenedStream> {
  return openEventStream<Delivery>(`${origin}/api/deliveries/stream${query}`, options);
}
