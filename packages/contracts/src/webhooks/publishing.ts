import Type, { type Static } from 'typebox';
import { component, exampleId } from '../component.ts';
import { ERRORS } from '../errors.ts';
import { EventTypeName } from '../events.ts';
import { idPattern, IdSchema } from '../ids.ts';
import { EXAMPLE_TIMESTAMP, Timestamp } from '../timestamps.ts';

/** The largest body that is sent to a receiver. */
export const DELIVERY_BODY_MAX_BYTES = 262_144;
/** Events of one request. */
export const PUBLISHED_EVENTS_MAX = 500;
export const PUBLISH_BODY_MAX_BYTES = 2 * 1024 * 1024;
/** The JSON of a schema or an example at most. */
export const SCHEMA_MAX_BYTES = 32_768;
/** First parts of names that an account can have, and event types below one. */
export const NAMESPACES_MAX = 10;
export const EVENT_TYPES_MAX = 200;
/** All schemas, of versions before too, and examples of an account as they are stored, each a kilobyte or more. */
export const EVENT_TYPES_MAX_BYTES = 20_000_000;

const strict = { additionalProperties: false };
/** Any content: the limit of the whole body bounds it. */
const AnyObject = Type.Unsafe<Record<string, unknown>>(
  Type.Object({}, { additionalProperties: true }),
);

/** The account that an event or a portal is for: its id, or the id with which it was imported. */
export const recipient = {
  accountId: Type.Optional({
    ...IdSchema('usr'),
    maxLength: 30,
    description: 'The account of the token by default',
  }),
  externalId: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description:
        'Instead of `accountId`, for applications that an operator trusts: the id with which the account was imported',
    }),
  ),
};

export const EventToPublish = component(
  'EventToPublish',
  Type.Object(
    {
      type: EventTypeName,
      ...recipient,
      data: { ...AnyObject, description: 'What the schema of the event type says' },
      id: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 128,
          pattern: '^[\\x21-\\x7e]+$',
          description:
            'Of your choice. However often an event with one id is sent, it is published once, for as long as ' +
            'deliveries are kept',
        }),
      ),
      occurredAt: Type.Optional(
        Type.String({ format: 'date-time', maxLength: 40, description: 'When it happened' }),
      ),
    },
    strict,
  ),
  {
    type: 'shop.order_paid',
    accountId: exampleId('usr'),
    id: 'order-1042-paid',
    data: { orderId: '1042', totalCents: 1990 },
  },
);
export type EventToPublish = Static<typeof EventToPublish>;

export const PublishBody = component(
  'PublishBody',
  Type.Union([
    EventToPublish,
    Type.Array(EventToPublish, { minItems: 1, maxItems: PUBLISHED_EVENTS_MAX }),
  ]),
  { type: 'shop.order_paid', data: { orderId: '1042' } },
);
export type PublishBody = Static<typeof PublishBody>;

export const PublishedEvent = component(
  'PublishedEvent',
  Type.Object({
    id: { ...IdSchema('evt'), description: 'As in the deliveries and in `/api/events/{id}`' },
    isDuplicate: Type.Boolean({ description: 'It had been published before' }),
  }),
  { id: exampleId('evt'), isDuplicate: false },
);
export type PublishedEvent = Static<typeof PublishedEvent>;

export const PublishResult = component(
  'PublishResult',
  Type.Union([
    Type.Object({ status: Type.Literal(202), ...PublishedEvent.properties }),
    Type.Object({
      status: Type.Enum([...new Set(Object.values(ERRORS))], {
        description: 'As of a single event',
      }),
      code: Type.String({ description: 'As the header `Error-Code`' }),
      error: Type.String(),
      message: Type.String(),
    }),
  ]),
  { status: 202, id: exampleId('evt'), isDuplicate: false },
);
export type PublishResult = Static<typeof PublishResult>;

export const PublishResults = component(
  'PublishResults',
  Type.Object({ data: Type.Array(PublishResult) }),
  { data: [{ status: 202, id: exampleId('evt'), isDuplicate: false }] },
);

export const Published = component('Published', Type.Union([PublishedEvent, PublishResults]), {
  id: exampleId('evt'),
  isDuplicate: false,
});

export const PutEventTypeBody = component(
  'PutEventTypeBody',
  Type.Object(
    {
      description: Type.String({ minLength: 1, maxLength: 500 }),
      schema: Type.Optional({
        ...AnyObject,
        description:
          'JSON Schema 2020-12 of `data`. A change of it must keep what the version before promised to receivers',
      }),
      example: {
        ...AnyObject,
        description: 'A complete and valid `data`, which a test event carries',
      },
    },
    strict,
  ),
  {
    description: 'A customer has paid an order.',
    schema: {
      type: 'object',
      required: ['orderId'],
      properties: { orderId: { type: 'string' }, totalCents: { type: 'integer' } },
    },
    example: { orderId: '1042', totalCents: 1990 },
  },
);
export type PutEventTypeBody = Static<typeof PutEventTypeBody>;

const EventTypeVersion = component(
  'EventTypeVersion',
  Type.Object({
    version: Type.Integer(),
    schema: Type.Record(Type.String(), Type.Unknown()),
    createdAt: Timestamp,
  }),
  { version: 1, schema: { type: 'object' }, createdAt: EXAMPLE_TIMESTAMP },
);
export const EventTypeVersions = component(
  'EventTypeVersions',
  Type.Object({ data: Type.Array(EventTypeVersion) }),
  { data: [{ version: 1, schema: { type: 'object' }, createdAt: EXAMPLE_TIMESTAMP }] },
);

const Application = Type.Union([IdSchema('app'), Type.Null()]);

/** The first part of the names of a product's event types, for operators. */
export const EventNamespace = component(
  'EventNamespace',
  Type.Object({
    name: Type.String(),
    accountId: IdSchema('usr'),
    trustedApplicationId: {
      ...Application,
      description: 'The application that may publish its events to any account; null: none',
    },
    createdAt: Timestamp,
  }),
  {
    name: 'shop',
    accountId: exampleId('usr'),
    trustedApplicationId: null,
    createdAt: EXAMPLE_TIMESTAMP,
  },
);
export type EventNamespace = Static<typeof EventNamespace>;

export const ChangeEventNamespaceBody = component(
  'ChangeEventNamespaceBody',
  Type.Object(
    {
      trustedApplicationId: Type.Union([
        Type.String({ maxLength: 40, pattern: `^${idPattern('app')}$` }),
        Type.Null(),
      ]),
    },
    strict,
  ),
  { trustedApplicationId: exampleId('app') },
);

export const NamespaceParams = Type.Object({ name: Type.String({ minLength: 1, maxLength: 100 }) });
