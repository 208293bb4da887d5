import Type, { type Static } from 'typebox';
import { IdSchema } from './ids.ts';
import { Timestamp } from './timestamps.ts';

export const EventName = Type.Union([
  Type.Literal('go.click'),
  Type.Literal('note.shared'),
  Type.Literal('auth.suspicious_login'),
]);
export type EventName = Static<typeof EventName>;
export const EVENT_NAMES = ['go.click', 'note.shared', 'auth.suspicious_login'] as const;

/** `data` of go.click: a person followed a short link. Never contains the visitor's address. */
export const GoClickData = Type.Object({
  linkId: IdSchema('lnk'),
  slug: Type.String(),
  url: Type.String(),
  clickedAt: Timestamp,
  referrer: Type.Union([Type.String(), Type.Null()]),
  userAgent: Type.Union([Type.String(), Type.Null()]),
});
export type GoClickData = Static<typeof GoClickData>;

/** `data` of note.shared: a note was made public. */
export const NoteSharedData = Type.Object({
  noteId: IdSchema('note'),
  workspaceId: IdSchema('ws'),
  title: Type.String(),
  url: Type.String(),
  sharedAt: Timestamp,
});
export type NoteSharedData = Static<typeof NoteSharedData>;

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
  'note.shared': NoteSharedData;
  'auth.suspicious_login': SuspiciousLoginData;
}

/** An event on its way from a producing service to the worker. */
export const EventEnvelope = Type.Object({
  id: IdSchema('evt'),
  event: EventName,
  /** The account whose subscriptions receive it. */
  accountId: IdSchema('usr'),
  createdAt: Timestamp,
  data: Type.Record(Type.String(), Type.Unknown()),
  requestId: Type.Optional(Type.String()),
});
export type EventEnvelope = Static<typeof EventEnvelope>;

/** The JSON body of a delivery, byte for byte the same on every attempt. */
export const DeliveryBody = Type.Object({
  id: IdSchema('evt'),
  event: EventName,
  createdAt: Timestamp,
  data: Type.Record(Type.String(), Type.Unknown()),
});
export type DeliveryBody = Static<typeof DeliveryBody>;
