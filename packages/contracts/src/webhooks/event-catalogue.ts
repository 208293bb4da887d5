import Type, { type Static, type TObject } from 'typebox';
import { component } from '../component.ts';
import {
  type EventDataByName,
  type EventName,
  EventTypeName,
  GoClickData,
  MemberAddedData,
  NoteCreatedData,
  NoteDeletedData,
  NoteSharedData,
  NoteUpdatedData,
  SuspiciousLoginData,
} from '../events.ts';
import { EXAMPLE_TIMESTAMP } from '../timestamps.ts';

interface CatalogueEntry<Data> {
  description: string;
  /** JSON Schema of `data` in the body of a delivery. */
  schema: TObject;
  /** A complete and valid `data`, which a test event carries. */
  example: Data;
}

const exampleNote = {
  noteId: 'note_01ky3m8q4vf0tb6w2c9hj5rxnb',
  workspaceId: 'ws_01ky3m8q4vf0tb6w2c9hj5rxnc',
  title: 'Plans for autumn',
};
const exampleUserId = 'usr_01ky3m8q4vf0tb6w2c9hj5rxnd';

/** Every event of Atrium, for people and programs. */
export const EVENT_CATALOGUE: {
  readonly [Name in EventName]: CatalogueEntry<EventDataByName[Name]>;
} = {
  'go.click': {
    description: 'A person followed one of your short links.',
    schema: GoClickData,
    example: {
      linkId: 'lnk_01ky3m8q4vf0tb6w2c9hj5rxna',
      slug: 'autumn',
      url: 'https://example.com/plans/autumn',
      clickedAt: EXAMPLE_TIMESTAMP,
      referrer: 'https://news.example.com/',
      userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:147.0) Gecko/20100101 Firefox/147.0',
    },
  },
  'note.created': {
    description: 'A member wrote a new note in one of your workspaces.',
    schema: NoteCreatedData,
    example: { ...exampleNote, userId: exampleUserId, createdAt: EXAMPLE_TIMESTAMP },
  },
  'note.updated': {
    description:
      'The title, text or tags of a note of one of your workspaces were changed, or the note or a former ' +
      'version of it was restored. Sent at the end of the minute, once for all changes of a note in it.',
    schema: NoteUpdatedData,
    example: { ...exampleNote, userId: exampleUserId, updatedAt: EXAMPLE_TIMESTAMP },
  },
  'note.deleted': {
    description: 'A note of one of your workspaces was moved to the trash.',
    schema: NoteDeletedData,
    example: { ...exampleNote, userId: exampleUserId, deletedAt: EXAMPLE_TIMESTAMP },
  },
  'note.shared': {
    description:
      'A note of one of your workspaces was made public, or came back from the trash with its public link.',
    schema: NoteSharedData,
    example: {
      ...exampleNote,
      url: 'https://app.example.com/s/q2Vd8LrT0xYpK7sNwB4mZgq2Vd8LrT0xYpK7sNwB4mZ',
      sharedAt: EXAMPLE_TIMESTAMP,
    },
  },
  'workspace.member_added': {
    description: 'A new member accepted an invitation to one of your workspaces.',
    schema: MemberAddedData,
    example: {
      workspaceId: exampleNote.workspaceId,
      userId: exampleUserId,
      role: 'editor',
      joinedAt: EXAMPLE_TIMESTAMP,
    },
  },
  'auth.suspicious_login': {
    description: 'Someone logged in to your account from a device that it had not used before.',
    schema: SuspiciousLoginData,
    example: {
      userId: exampleUserId,
      sessionId: 'ses_01ky3m8q4vf0tb6w2c9hj5rxne',
      browser: 'Firefox',
      os: 'Linux',
      ipAddress: '192.0.2.1',
      loggedInAt: EXAMPLE_TIMESTAMP,
    },
  },
};

const JsonObject = Type.Record(Type.String(), Type.Unknown());

export const EventType = component(
  'EventType',
  Type.Object({
    name: EventTypeName,
    description: Type.String(),
    schema: Type.Record(Type.String(), Type.Unknown(), {
      description: 'JSON Schema of `data` in the body of a delivery',
    }),
    example: JsonObject,
    version: Type.Integer({ description: 'Raised by each change of the schema' }),
    isArchived: Type.Boolean({ description: 'It is published no more' }),
  }),
  {
    name: 'note.shared',
    description: EVENT_CATALOGUE['note.shared'].description,
    schema: { type: 'object', required: ['noteId'], properties: { noteId: { type: 'string' } } },
    example: { noteId: EVENT_CATALOGUE['note.shared'].example.noteId },
    version: 1,
    isArchived: false,
  },
);
export type EventType = Static<typeof EventType>;

/** Any text: an unknown name is not found (404), not invalid (422). */
export const EventTypeParams = Type.Object({ name: Type.String({ minLength: 1, maxLength: 100 }) });
