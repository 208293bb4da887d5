import type { DeliveryBody, EventEnvelope } from '@atrium/contracts/events';
import { newId } from '@atrium/contracts/ids';
import { MAX_DELIVERY_ATTEMPTS } from '@atrium/contracts/deliveries';
import type { UnleasedDelivery } from '../scheduling/reservations.ts';
import type { Endpoint } from '../sending/deliver.ts';

/** An event on its way in, with the bytes that every attempt for it will send. */
export interface AcceptedEvent {
  event: EventEnvelope;
  body: string;
}

/** An enabled subscription that may want some of a batch. */
export interface Candidate {
  subscriptionId: string;
  accountId: string;
  events: readonly string[];
  paused: boolean;
  endpoint: Endpoint;
}

export interface NewDelivery extends UnleasedDelivery {
  eventId: string;
  /** Its subscription only collects for now. */
  paused: boolean;
}

/** A delivery for each event and each subscription of the event's account that asks for its kind. */
export function fanOut(
  events: readonly AcceptedEvent[],
  candidates: readonly Candidate[],
  nowMs: number,
): NewDelivery[] {
  const byAccount = Map.groupBy(candidates, (candidate) => candidate.accountId);
  return events.flatMap(({ event, body }) =>
    (byAccount.get(event.accountId) ?? [])
      .filter((candidate) => candidate.events.includes(event.event))
      .map(({ subscriptionId, paused, endpoint }) => ({
        id: newId('dlv', nowMs),
        eventId: event.id,
        event: event.event,
        subscriptionId,
        body,
        attemptCount: 0,
        attemptsAllowed: MAX_DELIVERY_ATTEMPTS,
        eventRequestId: event.requestId ?? null,
        takenOver: false,
        paused,
        endpoint,
      })),
  );
}

/** What is sent for an event; made once, stored, never made again. */
export function deliveryBody(event: EventEnvelope): string {
  const body: DeliveryBody = {
    id: event.id,
    event: event.event,
    createdAt: event.createdAt,
    data: event.data,
  };
  return JSON.stringify(body);
}
