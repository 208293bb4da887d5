import Type, { type Static } from 'typebox';
import { EventName } from './events.ts';
import { IdParams, IdSchema } from './ids.ts';
import { ListQuery } from './lists.ts';
import { NullableTimestamp, Timestamp } from './timestamps.ts';

/** Attempts that a delivery gets by itself at most, the first one included (INTERFACE 8). */
export const MAX_DELIVERY_ATTEMPTS = 5;
/** Attempts that a delivery gets at most with all the budgets that its owner gives it. */
export const MAX_ATTEMPTS_IN_ALL = 100;
/** Subscriptions that an account has at most. */
export const MAX_SUBSCRIPTIONS = 1_000;
/** How long a replaced secret stays valid, and Service-Signature may go on using it. */
export const PREVIOUS_SECRET_HOURS = 24;

const Url = Type.String({ minLength: 1, maxLength: 2048 });
const Events = Type.Array(EventName, { minItems: 1, maxItems: 20, uniqueItems: true });
const optional = {
  description: Type.Optional(Type.String({ maxLength: 200 })),
  headers: Type.Optional(
    Type.Record(Type.String(), Type.String(), {
      maxProperties: 10,
      description: 'Sent with each delivery; replaced as a whole. Values are never shown again.',
    }),
  ),
  rateLimitPerSecond: Type.Optional(
    Type.Union([Type.Integer({ minimum: 1, maximum: 10_000 }), Type.Null()], {
      description: 'Deliveries a second at most, over all workers; null for no limit',
    }),
  ),
};

export const CreateSubscriptionBody = Type.Object(
  { url: Url, events: Events, ...optional },
  { additionalProperties: false },
);
export type CreateSubscriptionBody = Static<typeof CreateSubscriptionBody>;

export const ChangeSubscriptionBody = Type.Object(
  {
    url: Type.Optional(Url),
    events: Type.Optional(Events),
    ...optional,
    enabled: Type.Optional(Type.Boolean()),
    paused: Type.Optional(Type.Boolean()),
  },
  { additionalProperties: false, minProperties: 1 },
);
export type ChangeSubscriptionBody = Static<typeof ChangeSubscriptionBody>;

export const Subscription = Type.Object({
  id: IdSchema('whk'),
  url: Type.String(),
  events: Type.Array(EventName),
  description: Type.String(),
  /** Names of the custom headers. Their values are often credentials and are not shown. */
  headerNames: Type.Array(Type.String()),
  rateLimitPerSecond: Type.Union([Type.Integer(), Type.Null()]),
  enabled: Type.Boolean(),
  /** Why Atrium disabled it, such as an answer of 410; null while enabled or when its owner did. */
  disabledReason: Type.Union([Type.String(), Type.Null()]),
  /** While paused nothing is sent, and what happens is kept for later. */
  paused: Type.Boolean(),
  /** The first failed attempt since the last success. */
  failingSince: NullableTimestamp,
  createdAt: Timestamp,
  updatedAt: Timestamp,
});
export type Subscription = Static<typeof Subscription>;

/** The only answer to a creation that carries the signing secret. */
export const CreatedSubscription = Type.Object({
  ...Subscription.properties,
  secret: Type.String({ description: 'Shown once: whsec_ and 32 random bytes in base64.' }),
});
export type CreatedSubscription = Static<typeof CreatedSubscription>;

export const RotateSecretBody = Type.Object(
  {
    serviceSignatureUsesPreviousUntil: Type.Optional(
      Type.String({
        format: 'date-time',
        description: 'Until then Service-Signature is made with the old secret; at most 24 h ahead',
      }),
    ),
  },
  { additionalProperties: false },
);

export const RotatedSecret = Type.Object({
  secret: Type.String({ description: 'The new secret. Shown once.' }),
  previousSecretValidUntil: Timestamp,
});

export const DeliveryState = Type.Union([
  Type.Literal('pending'),
  Type.Literal('delivered'),
  Type.Literal('failed'),
  Type.Literal('exhausted'),
]);
export type DeliveryState = Static<typeof DeliveryState>;

export const Delivery = Type.Object({
  id: IdSchema('dlv'),
  webhookId: IdSchema('whk'),
  eventId: IdSchema('evt'),
  event: EventName,
  state: DeliveryState,
  /** More than five when its owner had it sent again. */
  attemptCount: Type.Integer({ minimum: 0 }),
  nextAttemptAt: NullableTimestamp,
  createdAt: Timestamp,
});
export type Delivery = Static<typeof Delivery>;

export const Attempt = Type.Object({
  id: IdSchema('att'),
  /** Goes on counting when the delivery is sent again. */
  number: Type.Integer({ minimum: 1, maximum: MAX_ATTEMPTS_IN_ALL }),
  startedAt: Timestamp,
  durationMs: Type.Integer(),
  /** HTTP status of the answer; null when there was none. */
  status: Type.Union([Type.Integer(), Type.Null()]),
  /** Why it counts as failed; null when it was delivered. */
  error: Type.Union([Type.String(), Type.Null()]),
  /** The first part of the answer's body. */
  responseExcerpt: Type.Union([Type.String(), Type.Null()]),
});
export type Attempt = Static<typeof Attempt>;

export const DeliveryDetail = Type.Object({
  ...Delivery.properties,
  /** The JSON body exactly as it is sent; null when it is no longer stored. */
  body: Type.Union([Type.String(), Type.Null()]),
  attempts: Type.Array(Attempt),
});
export type DeliveryDetail = Static<typeof DeliveryDetail>;

const Moment = (description: string) =>
  Type.Optional(Type.String({ format: 'date-time', maxLength: 40, description }));

/** A page may hold fewer than `limit` and still have a `nextCursor`: a filter reads on from there. */
const filteredList = {
  ...ListQuery.properties,
  event: Type.Optional(EventName),
  from: Moment('Made at this time or later'),
  to: Moment('Made before this time'),
};

const WaitingState = [
  Type.Literal('pending'),
  Type.Literal('failed'),
  Type.Literal('exhausted'),
  Type.Literal('undelivered'),
] as const;

export const DeliveriesQuery = Type.Object({
  ...filteredList,
  /** `undelivered` is each of the states but `delivered`. */
  state: Type.Optional(Type.Union([...WaitingState, Type.Literal('delivered')])),
});
export type DeliveriesQuery = Static<typeof DeliveriesQuery>;

export const UndeliveredQuery = Type.Object({
  ...filteredList,
  state: Type.Union([...WaitingState], { default: 'undelivered' }),
});

/** A delivery that has just become due. */
export const QueuedDelivery = Type.Object({ deliveryId: IdSchema('dlv') });

export const TestEventBody = Type.Object({ event: EventName }, { additionalProperties: false });

export const RecoverBody = Type.Object(
  {
    since: Type.String({
      format: 'date-time',
      maxLength: 40,
      description: 'Exhausted deliveries made at this time or later are sent again',
    }),
  },
  { additionalProperties: false },
);

/** A recovery sends again what was exhausted, in small steps: `recovered` grows until it is done. */
export const Recovery = Type.Object({
  id: IdSchema('rcv'),
  since: Timestamp,
  /** Deliveries made due again so far. */
  recovered: Type.Integer(),
  createdAt: Timestamp,
  completedAt: NullableTimestamp,
});
export type Recovery = Static<typeof Recovery>;

export const RecoveryParams = Type.Object({
  ...IdParams.properties,
  recoveryId: IdParams.properties.id,
});

/** How many due deliveries the process endpoint has handed to the workers. */
export const ProcessResponse = Type.Object({
  enqueued: Type.Integer({ description: 'At most 1,000 of each subscription are counted' }),
});
