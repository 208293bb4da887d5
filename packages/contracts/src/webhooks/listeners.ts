import Type, { type Static } from 'typebox';
import { component, exampleId } from '../component.ts';
import { EventPattern, EventTypeName } from '../events.ts';
import { IdSchema } from '../ids.ts';
import { EXAMPLE_TIMESTAMP, NullableTimestamp } from '../timestamps.ts';

/** A listener that has fetched nothing for so long is deleted. */
export const LISTENER_TTL_DAYS = 7;
/** How long a fetched delivery is leased to its listener; then it is due again. */
export const LISTENER_LEASE_SECONDS = 30;

export const CreateListenerBody = component(
  'CreateListenerBody',
  Type.Object(
    {
      forwardTo: Type.String({
        minLength: 1,
        maxLength: 2048,
        description: 'Shown as its URL. Nothing is sent there by Atrium.',
      }),
      events: Type.Array(EventPattern, { minItems: 1, maxItems: 20, uniqueItems: true }),
    },
    { additionalProperties: false },
  ),
  { forwardTo: 'http://localhost:3000/hook', events: ['note.shared'] },
);

export const LeasedDelivery = component(
  'LeasedDelivery',
  Type.Object({
    id: IdSchema('dlv'),
    leaseId: Type.String(),
    event: EventTypeName,
    attempt: Type.Integer({ minimum: 1 }),
    headers: Type.Record(Type.String(), Type.String(), {
      description: 'To be sent with the body, signatures included',
    }),
    body: Type.String({ description: 'To be sent byte for byte, as UTF-8' }),
  }),
  {
    id: exampleId('dlv'),
    leaseId: '0f8fad5b-d9cb-469f-a165-70867728950e',
    event: 'note.shared',
    attempt: 1,
    headers: { 'Service-Event': 'note.shared', 'Service-Signature': 'a28f92dc…' },
    body: '{"id":"evt_…"}',
  },
);
export type LeasedDelivery = Static<typeof LeasedDelivery>;

export const LeasedDeliveries = component(
  'LeasedDeliveries',
  Type.Object({
    deliveries: Type.Array(LeasedDelivery, { description: 'At most ten' }),
    nextDueAt: NullableTimestamp,
  }),
  { deliveries: [], nextDueAt: EXAMPLE_TIMESTAMP },
);
export type LeasedDeliveries = Static<typeof LeasedDeliveries>;

export const ForwardedBody = component(
  'ForwardedBody',
  Type.Object(
    {
      leaseId: Type.String({ format: 'uuid' }),
      durationMs: Type.Integer({ minimum: 0, maximum: 3_600_000 }),
      status: Type.Union([Type.Integer({ minimum: 100, maximum: 999 }), Type.Null()], {
        description: 'HTTP status of the response; null when there was none',
      }),
      error: Type.Optional(
        Type.String({ maxLength: 500, description: 'Why there was no response' }),
      ),
    },
    { additionalProperties: false },
  ),
  { leaseId: '0f8fad5b-d9cb-469f-a165-70867728950e', durationMs: 12, status: 204 },
);
export type ForwardedBody = Static<typeof ForwardedBody>;
