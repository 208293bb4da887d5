import Type, { type Static } from 'typebox';
import { component, exampleId } from '../component.ts';
import { EventPattern, EventTypeName } from '../events.ts';
import { IdSchema } from '../ids.ts';
import { EXAMPLE_TIMESTAMP, NullableTimestamp, Timestamp } from '../timestamps.ts';
import { Destination, DestinationBody, exampleDestinations } from './destinations.ts';
import { exampleFilter, Filter } from './filters.ts';

/** When so many deliveries wait for one paused subscription, it is disabled within five minutes. */
export const PAUSED_DELIVERIES_MAX = 100_000;
/**
 * Likewise when so many are held for one that is slower than its events, the oldest for longer than an outage, or ten
 * times as many in any case.
 */
export const HELD_DELIVERIES_MAX = 100_000;
export const HELD_HOURS = 24;
/** How long a replaced secret stays valid, and Service-Signature may go on using it. */
export const PREVIOUS_SECRET_HOURS = 24;
/** A deletion can be taken back so long; its deliveries are purged later. */
export const RESTORE_MINUTES = 4;

const Url = Type.String({ minLength: 1, maxLength: 2048 });
const Events = Type.Array(EventPattern, { minItems: 1, maxItems: 20, uniqueItems: true });
const optional = {
  destination: Type.Optional(DestinationBody),
  description: Type.Optional(Type.String({ maxLength: 200 })),
  headers: Type.Optional(
    Type.Record(Type.String(), Type.String({ maxLength: 1024 }), {
      maxProperties: 10,
      propertyNames: { maxLength: 100 },
      description:
        'Sent with each delivery; replaced as a whole. Values are never shown again. A change of ' +
        'the scheme, host or port of url needs them again; {} removes them.',
    }),
  ),
  filter: Type.Optional(Type.Union([Filter, Type.Null()])),
  rateLimitPerSecond: Type.Optional(
    Type.Union([Type.Integer({ minimum: 1, maximum: 10_000 }), Type.Null()], {
      description: 'Deliveries a second at most, over all workers; null for no limit',
    }),
  ),
};

/** How webhook-signature is made; Service-Signature is an HMAC always. */
const SignatureKind = Type.Union([Type.Literal('hmac'), Type.Literal('ed25519')], {
  description:
    'What webhook-signature is made with: an HMAC with the secret (v1), or an Ed25519 key pair of which the ' +
    'receiver needs the public key only (v1a). Service-Signature is always an HMAC.',
});
export type SignatureKind = Static<typeof SignatureKind>;
const PublicKey = Type.Union([Type.String(), Type.Null()], {
  description: 'whpk_ and the Ed25519 public key in base64; null for hmac',
});

const exampleSecret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=';
const exampleEvents = ['note.shared', 'go.click'];
const exampleSubscription = {
  url: 'https://example.com/hooks/atrium',
  events: exampleEvents,
  description: 'Team chat',
};

export const CreateSubscriptionBody = component(
  'CreateSubscriptionBody',
  Type.Object(
    { url: Url, events: Events, ...optional, signature: Type.Optional(SignatureKind) },
    { additionalProperties: false },
  ),
  exampleSubscription,
  ...exampleDestinations.map((each) => ({ ...each, events: exampleEvents })),
);
export type CreateSubscriptionBody = Static<typeof CreateSubscriptionBody>;

export const ChangeSubscriptionBody = component(
  'ChangeSubscriptionBody',
  Type.Object(
    {
      url: Type.Optional(Url),
      events: Type.Optional(Events),
      ...optional,
      enabled: Type.Optional(Type.Boolean()),
      paused: Type.Optional(Type.Boolean()),
    },
    { additionalProperties: false, minProperties: 1 },
  ),
  { events: ['note.shared'], filter: exampleFilter, rateLimitPerSecond: 50 },
);
export type ChangeSubscriptionBody = Static<typeof ChangeSubscriptionBody>;

const exampleStoredSubscription = {
  id: exampleId('whk'),
  ...exampleSubscription,
  destination: { kind: 'http' as const },
  headerNames: ['x-api-key'],
  filter: exampleFilter,
  unmatchedCount: 12,
  rateLimitPerSecond: null,
  enabled: true,
  disabledReason: null,
  paused: false,
  listener: false,
  signature: 'hmac' as const,
  publicKey: null,
  failingSince: null,
  previousSecretValidUntil: null,
  createdAt: EXAMPLE_TIMESTAMP,
  updatedAt: EXAMPLE_TIMESTAMP,
};

export const Subscription = component(
  'Subscription',
  Type.Object({
    id: IdSchema('whk'),
    url: Type.String(),
    destination: Destination,
    events: Type.Array(EventPattern),
    description: Type.String(),
    headerNames: Type.Array(Type.String(), {
      description: 'Names of the custom headers; their values are never shown',
    }),
    filter: Type.Union([Filter, Type.Null()]),
    unmatchedCount: Type.Integer({
      description: 'Events that were not delivered since the filter was set, as they did not match',
    }),
    rateLimitPerSecond: Type.Union([Type.Integer(), Type.Null()]),
    enabled: Type.Boolean(),
    disabledReason: Type.Union([Type.String(), Type.Null()], {
      description: 'Why Atrium disabled it; null while enabled, or when its owner disabled it',
    }),
    paused: Type.Boolean({
      description:
        'While paused nothing is sent; events are kept as long as deliveries are. When ' +
        `${PAUSED_DELIVERIES_MAX.toLocaleString('en')} wait, the subscription is disabled.`,
    }),
    listener: Type.Boolean({
      description: 'Fetched by `atrium listen` instead of being sent; always paused',
    }),
    signature: SignatureKind,
    publicKey: PublicKey,
    /** The first failed attempt since the last success. */
    failingSince: NullableTimestamp,
    /** After a rotation, while deliveries are signed with both secrets. */
    previousSecretValidUntil: NullableTimestamp,
    createdAt: Timestamp,
    updatedAt: Timestamp,
  }),
  exampleStoredSubscription,
);
export type Subscription = Static<typeof Subscription>;

/** The only response that carries the signing secret of a new subscription. */
export const CreatedSubscription = component(
  'CreatedSubscription',
  Type.Object({
    ...Subscription.properties,
    secret: Type.String({ description: 'Shown once: whsec_ and 32 random bytes in base64.' }),
  }),
  { ...exampleStoredSubscription, secret: exampleSecret },
);
export type CreatedSubscription = Static<typeof CreatedSubscription>;

export const RotateSecretBody = component(
  'RotateSecretBody',
  Type.Object(
    {
      serviceSignatureUsesPreviousUntil: Type.Optional(
        Type.String({
          format: 'date-time',
          maxLength: 40,
          description:
            'Until then Service-Signature is made with the old secret; at most 24 h ahead',
        }),
      ),
      signature: Type.Optional(SignatureKind),
    },
    { additionalProperties: false },
  ),
  {},
);

export const RotatedSecret = component(
  'RotatedSecret',
  Type.Object({
    secret: Type.String({ description: 'The new secret. Shown once.' }),
    publicKey: PublicKey,
    previousSecretValidUntil: Timestamp,
  }),
  {
    secret: exampleSecret,
    publicKey: null,
    previousSecretValidUntil: '2026-02-01T09:30:00.000Z',
  },
);

/** What anybody may know of a subscription. */
export const WebhookKeys = component(
  'WebhookKeys',
  Type.Object({
    keys: Type.Array(Type.String(), {
      description: 'Public keys, the current one first; after a rotation the one before it too',
    }),
  }),
  { keys: ['whpk_b2xkLW9sZC1vbGQtb2xkLW9sZC1vbGQtb2xkLW9sZC0='] },
);

export const TestEventBody = component(
  'TestEventBody',
  Type.Object({ event: EventTypeName }, { additionalProperties: false }),
  { event: 'note.shared' },
);
