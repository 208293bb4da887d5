import Type, { type Static } from 'typebox';
import { component, exampleId } from '../component.ts';
import { IdSchema } from '../ids.ts';
import { ListQuery } from '../lists.ts';
import { INBOX, EVENTS_QUEUE } from '../queues.ts';
import { EXAMPLE_TIMESTAMP, Timestamp } from '../timestamps.ts';
import { Plan } from './tokens.ts';

// What operators see and do. Every route of it answers 404 to accounts without the role.

const Nullable = <T extends Type.TSchema>(schema: T) => Type.Union([schema, Type.Null()]);
const Count = Type.Integer({ minimum: 0 });

/** Shown to the owner of the account, so it is written for them. */
const Reason = Type.String({ minLength: 3, maxLength: 500, pattern: '\\S' });
const reason = 'Links to malware, reported on 30 January';

/** An account as operators see it: nothing of what its owner keeps in the products. */
export const OperatorAccount = component(
  'OperatorAccount',
  Type.Object({
    id: IdSchema('usr'),
    name: Type.String(),
    username: Type.String(),
    email: Type.String(),
    emailVerified: Type.Boolean(),
    plan: Plan,
    /** Whether a second factor is on. */
    secondFactor: Type.Boolean(),
    activeSessions: Count,
    createdAt: Timestamp,
    suspendedAt: Nullable(Timestamp),
    /** When it will be erased, if its owner has asked for that. */
    erasesAt: Nullable(Timestamp),
  }),
  {
    id: exampleId('usr'),
    name: 'Ada Lovelace',
    username: 'ada',
    email: 'ada@example.com',
    emailVerified: true,
    plan: 'free',
    secondFactor: false,
    activeSessions: 2,
    createdAt: EXAMPLE_TIMESTAMP,
    suspendedAt: null,
    erasesAt: null,
  },
);
export type OperatorAccount = Static<typeof OperatorAccount>;

export const OperatorAccountsQuery = Type.Object({
  ...ListQuery.properties,
  query: Type.Optional(
    Type.String({
      maxLength: 254,
      description: 'An id, or how the email address or the username begins',
    }),
  ),
});

export const OPERATOR_ACTIONS = [
  'operator.suspended',
  'operator.unsuspended',
  'operator.signed_out',
  'operator.plan_changed',
  'operator.application_changed',
] as const;

/** What an operator did to an account. Its owner sees the same without the operator. */
export const OperatorAction = component(
  'OperatorAction',
  Type.Object({
    id: IdSchema('aud'),
    kind: Type.Enum([...OPERATOR_ACTIONS]),
    /** The username of the operator; null once that account is erased. */
    operator: Nullable(Type.String()),
    reason: Type.String(),
    plan: Nullable(Plan),
    createdAt: Timestamp,
  }),
  {
    id: exampleId('aud'),
    kind: 'operator.suspended',
    operator: 'grace',
    reason,
    plan: null,
    createdAt: EXAMPLE_TIMESTAMP,
  },
);
export type OperatorAction = Static<typeof OperatorAction>;

export const ReasonBody = component(
  'ReasonBody',
  Type.Object({ reason: Reason }, { additionalProperties: false }),
  { reason },
);
export const ChangePlanBody = component(
  'ChangePlanBody',
  Type.Object({ plan: Plan, reason: Reason }, { additionalProperties: false }),
  { plan: 'pro', reason: 'Paid by invoice 2026-014' },
);

export const ChangeFirstPartyBody = component(
  'ChangeFirstPartyBody',
  Type.Object({ isFirstParty: Type.Boolean(), reason: Reason }, { additionalProperties: false }),
  { isFirstParty: true, reason: 'It is our own mobile app' },
);

/** One queue of a service's outbox. */
const OutboxLag = Type.Object({
  queue: Type.Enum([EVENTS_QUEUE, ...Object.values(INBOX)]),
  /** Rows that have not arrived yet. */
  waiting: Count,
  /** The age of the oldest of them. */
  oldestSeconds: Type.Number({ minimum: 0 }),
  /** Messages that failed too often and wait for an operator. */
  setAside: Count,
});
export type OutboxLag = Static<typeof OutboxLag>;

/** One replica of a service: the one that answered. */
export const ServiceStatus = component(
  'ServiceStatus',
  Type.Object({
    service: Type.String(),
    version: Type.String(),
    startedAt: Timestamp,
    /** What it needs and does not get; empty when it is ready. */
    failing: Type.Array(Type.String()),
    /** Its queues that are not empty. */
    outbox: Type.Array(OutboxLag),
  }),
  {
    service: 'notes',
    version: '1.4.0',
    startedAt: EXAMPLE_TIMESTAMP,
    failing: [],
    outbox: [{ queue: 'events', waiting: 3, oldestSeconds: 0.4, setAside: 0 }],
  },
);
export type ServiceStatus = Static<typeof ServiceStatus>;

/** How far deliveries are behind, and how many are made. */
export const DeliveryQueues = component(
  'DeliveryQueues',
  Type.Object({
    /** Batches of events that services have handed over and no worker has stored yet. */
    eventBatches: Count,
    /** Deliveries that are due and not being attempted, at most 1,000 counted of each endpoint. */
    due: Count,
    /** How long the oldest has been due, without failing endpoints and those with a rate limit. */
    oldestDueSeconds: Type.Number({ minimum: 0 }),
    /** Deliveries that are made once their subscription has capacity, at most 10,000 counted. */
    heldDeliveries: Count,
    /** The last 30 minutes, the oldest first; the last one has only begun. */
    throughput: Type.Array(Type.Object({ minute: Timestamp, delivered: Count, failed: Count })),
  }),
  {
    eventBatches: 0,
    due: 12,
    oldestDueSeconds: 0.8,
    heldDeliveries: 0,
    throughput: [{ minute: EXAMPLE_TIMESTAMP, delivered: 1840, failed: 3 }],
  },
);
export type DeliveryQueues = Static<typeof DeliveryQueues>;

/** An endpoint by its recent deliveries. Its path may hold a secret, so only the origin is shown. */
export const EndpointFailures = component(
  'EndpointFailures',
  Type.Object({
    subscriptionId: IdSchema('whk'),
    accountId: IdSchema('usr'),
    origin: Type.String(),
    /** How many deliveries were looked at: the last 100 at most. */
    deliveries: Count,
    failed: Count,
    failingSince: Nullable(Timestamp),
    lastStatus: Nullable(Type.Integer()),
    lastError: Nullable(Type.String()),
  }),
  {
    subscriptionId: exampleId('whk'),
    accountId: exampleId('usr'),
    origin: 'https://hooks.example.com',
    deliveries: 100,
    failed: 38,
    failingSince: EXAMPLE_TIMESTAMP,
    lastStatus: 503,
    lastError: null,
  },
);
export type EndpointFailures = Static<typeof EndpointFailures>;

/** A rejected event without its data, which belongs to an account: the database has it. */
export const RejectedEvent = component(
  'RejectedEvent',
  Type.Object({
    /** Null when it could not be read. */
    eventId: Nullable(Type.String()),
    reason: Type.String(),
    sizeBytes: Count,
    rejectedAt: Timestamp,
  }),
  {
    eventId: exampleId('evt'),
    reason: 'data/title must be string',
    sizeBytes: 612,
    rejectedAt: EXAMPLE_TIMESTAMP,
  },
);
export type RejectedEvent = Static<typeof RejectedEvent>;
