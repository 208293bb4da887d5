import Type, { type Static } from 'typebox';
import { component, exampleId } from '../component.ts';
import { EventTypeName } from '../events.ts';
import { AnyId, IdSchema } from '../ids.ts';
import { ListQuery } from '../lists.ts';
import { EXAMPLE_TIMESTAMP, Moment, NullableTimestamp, Timestamp } from '../timestamps.ts';

/** Automatic attempts of a delivery, the first one included (INTERFACE 8). */
export const MAX_DELIVERY_ATTEMPTS = 5;
/** Attempts of a delivery in all, with those of every redelivery that its owner asks for. */
export const MAX_ATTEMPTS_IN_ALL = 100;

export const DeliveryState = Type.Union([
  Type.Literal('pending'),
  Type.Literal('delivered'),
  Type.Literal('failed'),
  Type.Literal('exhausted'),
]);
export type DeliveryState = Static<typeof DeliveryState>;

const exampleDelivery = {
  id: exampleId('dlv'),
  webhookId: exampleId('whk'),
  eventId: exampleId('evt'),
  event: 'note.shared',
  state: 'delivered',
  attemptCount: 1,
  nextAttemptAt: null,
  lastAttempt: { status: 200, durationMs: 38 },
  createdAt: EXAMPLE_TIMESTAMP,
} as const;

export const Delivery = component(
  'Delivery',
  Type.Object({
    id: IdSchema('dlv'),
    webhookId: IdSchema('whk'),
    eventId: IdSchema('evt'),
    event: EventTypeName,
    state: DeliveryState,
    attemptCount: Type.Integer({
      minimum: 0,
      description: 'More than five after a redelivery that its owner asked for',
    }),
    nextAttemptAt: NullableTimestamp,
    lastAttempt: Type.Union(
      [
        Type.Object({
          status: Type.Union([Type.Integer(), Type.Null()]),
          durationMs: Type.Integer(),
        }),
        Type.Null(),
      ],
      {
        description: 'Null before the first attempt; its status is null when there was no response',
      },
    ),
    createdAt: Timestamp,
  }),
  exampleDelivery,
);
export type Delivery = Static<typeof Delivery>;

const exampleAttempt = {
  id: exampleId('att'),
  number: 1,
  startedAt: EXAMPLE_TIMESTAMP,
  durationMs: 38,
  status: 200,
  error: null,
  responseHeaders: null,
  responseExcerpt: 'ok',
};

export const Attempt = component(
  'Attempt',
  Type.Object({
    id: IdSchema('att'),
    number: Type.Integer({
      minimum: 1,
      maximum: MAX_ATTEMPTS_IN_ALL,
      description: 'Goes on counting after a redelivery',
    }),
    startedAt: Timestamp,
    durationMs: Type.Integer(),
    status: Type.Union([Type.Integer(), Type.Null()], {
      description: 'HTTP status of the response; null when there was none',
    }),
    error: Type.Union([Type.String(), Type.Null()], {
      description: 'Why the attempt failed; null when it succeeded',
    }),
    responseHeaders: Type.Union([Type.String(), Type.Null()], {
      description:
        'The first part of the headers of a response that is no success, one on each line, such as ' +
        '`retry-after: 120`',
    }),
    responseExcerpt: Type.Union([Type.String(), Type.Null()], {
      description: 'The first part of the response body: 1,024 characters, 200 of a success',
    }),
  }),
  exampleAttempt,
);
export type Attempt = Static<typeof Attempt>;

export const DeliveryDetail = component(
  'DeliveryDetail',
  Type.Object({
    ...Delivery.properties,
    body: Type.Union([Type.String(), Type.Null()], {
      description: 'The JSON body exactly as it is sent; null when it is no longer stored',
    }),
    attempts: Type.Array(Attempt),
  }),
  { ...exampleDelivery, body: '{"id":"evt_…"}', attempts: [exampleAttempt] },
);
export type DeliveryDetail = Static<typeof DeliveryDetail>;

/** A page may hold fewer than `limit` and still have a `nextCursor`: a filter reads on from there. */
const filteredList = {
  ...ListQuery.properties,
  event: Type.Optional(EventTypeName),
  from: Moment('Created at this time or later'),
  to: Moment('Created before this time'),
};

export const DeliveriesQuery = Type.Object({
  ...filteredList,
  state: Type.Optional(
    Type.Union([DeliveryState, Type.Literal('undelivered')], {
      description: '`undelivered` is each of the states but `delivered`',
    }),
  ),
});
export type DeliveriesQuery = Static<typeof DeliveriesQuery>;

export const AccountDeliveriesQuery = Type.Object({
  ...DeliveriesQuery.properties,
  webhookId: Type.Optional({ ...AnyId, description: 'Only of this subscription' }),
});
export type AccountDeliveriesQuery = Static<typeof AccountDeliveriesQuery>;

/** A delivery that has just become due. */
export const QueuedDelivery = component(
  'QueuedDelivery',
  Type.Object({ deliveryId: IdSchema('dlv') }),
  { deliveryId: exampleId('dlv') },
);

export const ProcessResponse = component(
  'ProcessResponse',
  Type.Object({
    enqueued: Type.Integer({
      description:
        'Due deliveries that are not being sent, at most 1,000 per subscription. Those whose endpoint fails or has ' +
        'reached its rate wait for it.',
    }),
  }),
  { enqueued: 3 },
);
