import Type, { type Static } from 'typebox';
import { EventName } from './events.ts';
import { IdSchema } from './ids.ts';
import { NullableTimestamp, Timestamp } from './timestamps.ts';

/** Attempts that a delivery gets at most, the first one included (INTERFACE 8). */
export const MAX_DELIVERY_ATTEMPTS = 5;

const Url = Type.String({ minLength: 1, maxLength: 2048 });
const Events = Type.Array(EventName, { minItems: 1, maxItems: 20, uniqueItems: true });

export const CreateSubscriptionBody = Type.Object(
  { url: Url, events: Events },
  { additionalProperties: false },
);
export const ChangeSubscriptionBody = Type.Partial(
  Type.Object({ url: Url, events: Events, enabled: Type.Boolean() }),
  { additionalProperties: false, minProperties: 1 },
);

export const Subscription = Type.Object({
  id: IdSchema('whk'),
  url: Type.String(),
  events: Type.Array(EventName),
  enabled: Type.Boolean(),
  /** Why Atrium disabled it, such as an answer of 410; null while enabled or when its owner did. */
  disabledReason: Type.Union([Type.String(), Type.Null()]),
  createdAt: Timestamp,
  updatedAt: Timestamp,
});
export type Subscription = Static<typeof Subscription>;

/** The only answer that carries the signing secret. */
export const CreatedSubscription = Type.Object({
  ...Subscription.properties,
  secret: Type.String({ description: 'Shown once: whsec_ and 32 random bytes in base64.' }),
});
export type CreatedSubscription = Static<typeof CreatedSubscription>;

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
  attemptCount: Type.Integer({ minimum: 0, maximum: MAX_DELIVERY_ATTEMPTS }),
  nextAttemptAt: NullableTimestamp,
  createdAt: Timestamp,
});
export type Delivery = Static<typeof Delivery>;

export const Attempt = Type.Object({
  id: IdSchema('att'),
  number: Type.Integer({ minimum: 1, maximum: MAX_DELIVERY_ATTEMPTS }),
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
  /** The JSON body exactly as it is sent. */
  body: Type.String(),
  attempts: Type.Array(Attempt),
});
export type DeliveryDetail = Static<typeof DeliveryDetail>;

/** How many due deliveries the process endpoint has handed to the workers. */
export const ProcessResponse = Type.Object({ enqueued: Type.Integer() });
