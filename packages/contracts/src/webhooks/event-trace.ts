import Type, { type Static } from 'typebox';
import { component, exampleId } from '../component.ts';
import { Attempt, Delivery } from './deliveries.ts';
import { EventTypeName } from '../events.ts';
import { IdSchema } from '../ids.ts';
import { EXAMPLE_TIMESTAMP, Moment, Timestamp } from '../timestamps.ts';

/** What someone did that made an event. */
export const EventCause = Type.Union([
  Type.Object({ kind: Type.Literal('click'), linkId: Type.String(), occurredAt: Timestamp }),
  Type.Object({ kind: Type.Literal('share'), noteId: Type.String(), occurredAt: Timestamp }),
  Type.Object({ kind: Type.Literal('note'), noteId: Type.String(), occurredAt: Timestamp }),
  Type.Object({ kind: Type.Literal('member'), workspaceId: Type.String(), occurredAt: Timestamp }),
  Type.Object({ kind: Type.Literal('login'), sessionId: Type.String(), occurredAt: Timestamp }),
  Type.Object({ kind: Type.Literal('test'), occurredAt: Timestamp }),
]);
export type EventCause = Static<typeof EventCause>;

/** An event with its cause, its data, and each delivery with its attempts. */
export const EventTrace = component(
  'EventTrace',
  Type.Object({
    id: IdSchema('evt'),
    event: EventTypeName,
    createdAt: Timestamp,
    occurredAt: Moment('When it happened, if its publisher said so'),
    requestId: Type.Union([Type.String(), Type.Null()], {
      description: 'Of the request that caused it; it is in the logs of every service',
    }),
    traceId: Type.Union([Type.String(), Type.Null()], {
      description: 'Of its trace at the operator of this Atrium; null when traces are off',
    }),
    traceUrl: Type.Union([Type.String(), Type.Null()], {
      description: 'Where the operator shows that trace; null when it is not recorded',
    }),
    cause: Type.Union([EventCause, Type.Null()], {
      description: 'Null when the data does not name it',
    }),
    data: Type.Record(Type.String(), Type.Unknown(), {
      description: 'As in the body of its deliveries',
    }),
    deliveries: Type.Array(
      Type.Object({
        ...Delivery.properties,
        attempts: Type.Array(Attempt, { description: 'The newest ten, oldest first' }),
      }),
    ),
    held: Type.Array(IdSchema('whk'), {
      description:
        'Subscriptions that get a delivery once fewer others of the account wait to be sent',
    }),
    unmatched: Type.Array(IdSchema('whk'), {
      description: 'Subscriptions whose filter it did not match',
    }),
  }),
  {
    id: exampleId('evt'),
    event: 'go.click',
    createdAt: EXAMPLE_TIMESTAMP,
    requestId: '7d0a2b55-5f0e-4f1c-9d5e-0f6f5f1c2a10',
    traceId: '4bf92f3577b34da6a3ce929d0e0e4736',
    traceUrl: null,
    cause: { kind: 'click', linkId: exampleId('lnk'), occurredAt: EXAMPLE_TIMESTAMP },
    data: { linkId: exampleId('lnk'), slug: 'autumn' },
    deliveries: [],
    held: [],
    unmatched: [exampleId('whk')],
  },
);
export type EventTrace = Static<typeof EventTrace>;
