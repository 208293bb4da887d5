import Type, { type Static } from 'typebox';
import { EVENT_NAMES } from './event-names.ts';
import { IdSchema } from './ids.ts';
import { CollaboratorRole } from './notes/members.ts';
import { Timestamp } from './timestamps.ts';

export const EventName = Type.Enum([...EVENT_NAMES]);
export type EventName = (typeof EVENT_NAMES)[number];

const PART = '[a-z][a-z0-9_-]*';
const NAME_MAX = 100;

/** The name of any event type: of Atrium, or of a product that publishes its own (`shop.order_paid`). */
export const EventTypeName = Type.String({
  pattern: `^${PART}(\\.${PART})+$`,
  maxLength: NAME_MAX,
  description: 'Parts of lower-case letters, digits, - and _, separated by dots',
});

/** What a subscription asks for: the name of an event type, or all below a part of it (`shop.*`). */
export const EventPattern = Type.String({
  pattern: `^${PART}(\\.${PART})*\\.(${PART}|\\*)$`,
  maxLength: NAME_MAX,
  description: 'The name of an event type; with * at the end, all below it',
});

/** `data` of go.click: a person followed a short link. Never contains the visitor's IP address. */
export const GoClickData = Type.Object({
  linkId: IdSchema('lnk'),
  slug: Type.String(),
  url: Type.String(),
  clickedAt: Timestamp,
  referrer: Type.Union([Type.String(), Type.Null()]),
  userAgent: Type.Union([Type.String(), Type.Null()]),
});
export type GoClickData = Static<typeof GoClickData>;

const noteFields = { noteId: IdSchema('note'), workspaceId: IdSchema('ws'), title: Type.String() };

/** `data` of note.created: a member wrote a new note. */
export const NoteCreatedData = Type.Object({
  ...noteFields,
  userId: IdSchema('usr'),
  createdAt: Timestamp,
});
export type NoteCreatedData = Static<typeof NoteCreatedData>;

/** `data` of note.updated: the last change of a note in a minute. */
export const NoteUpdatedData = Type.Object({
  ...noteFields,
  userId: IdSchema('usr'),
  updatedAt: Timestamp,
});
export type NoteUpdatedData = Static<typeof NoteUpdatedData>;

/** `data` of note.deleted: a note was moved to the trash. */
export const NoteDeletedData = Type.Object({
  ...noteFields,
  userId: IdSchema('usr'),
  deletedAt: Timestamp,
});
export type NoteDeletedData = Static<typeof NoteDeletedData>;

/** `data` of note.shared: a note was made public. */
export const NoteSharedData = Type.Object({
  ...noteFields,
  url: Type.String(),
  sharedAt: Timestamp,
});
export type NoteSharedData = Static<typeof NoteSharedData>;

/** `data` of workspace.member_added: an invitation was accepted. */
export const MemberAddedData = Type.Object({
  workspaceId: IdSchema('ws'),
  userId: IdSchema('usr'),
  role: CollaboratorRole,
  joinedAt: Timestamp,
});
export type MemberAddedData = Static<typeof MemberAddedData>;

/** `data` of auth.suspicious_login: a login from an unknown device. */
export const SuspiciousLoginData = Type.Object({
  userId: IdSchema('usr'),
  sessionId: IdSchema('ses'),
  browser: Type.String(),
  os: Type.String(),
  ipAddress: Type.String(),
  loggedInAt: Timestamp,
});
export type SuspiciousLoginData = Static<typeof SuspiciousLoginData>;

export interface EventDataByName {
  'go.click': GoClickData;
  'note.created': NoteCreatedData;
  'note.updated': NoteUpdatedData;
  'note.deleted': NoteDeletedData;
  'note.shared': NoteSharedData;
  'workspace.member_added': MemberAddedData;
  'auth.suspicious_login': SuspiciousLoginData;
}

const JsonObject = Type.Record(Type.String(), Type.Unknown());

/** An event on its way from a producing service to the worker. */
export const EventEnvelope = Type.Object({
  id: IdSchema('evt'),
  event: EventTypeName,
  /** The account whose subscriptions receive it. */
  accountId: IdSchema('usr'),
  createdAt: Timestamp,
  /** When it happened, as its publisher says. */
  occurredAt: Type.Optional(Timestamp),
  data: JsonObject,
  requestId: Type.Optional(Type.String()),
  traceparent: Type.Optional(Type.String()),
});
export type EventEnvelope = Static<typeof EventEnvelope>;

/** The JSON body of a delivery, byte for byte the same on every attempt. */
export const DeliveryBody = Type.Object({
  id: IdSchema('evt'),
  event: EventTypeName,
  createdAt: Timestamp,
  occurredAt: Type.Optional(Timestamp),
  data: JsonObject,
});
export type DeliveryBody = Static<typeof DeliveryBody>;
