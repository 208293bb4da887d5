import Type, { type Static } from 'typebox';
import { component } from '../component.ts';
import { AnyId } from '../ids.ts';
import { EXAMPLE_TIMESTAMP, NullableTimestamp, Timestamp } from '../timestamps.ts';

/** Carries what `openSharedNote` returned. */
export const SHARE_ACCESS_HEADER = 'share-access';

const Password = Type.String({ minLength: 8, maxLength: 128 });
const MaxViews = Type.Integer({ minimum: 1, maximum: 1_000_000 });

/** Copied as it stands, so it must never be in the past. */
const exampleExpiry = '2100-02-28T18:00:00.000Z';

export const ShareSettings = component(
  'ShareSettings',
  Type.Partial(
    Type.Object({
      password: Type.Union([Password, Type.Null()], {
        description: 'Readers have to know it; null removes it',
      }),
      expiresAt: Type.Union([Timestamp, Type.Null()], { description: 'null: never' }),
      maxViews: Type.Union([MaxViews, Type.Null()], {
        description: 'Another maximum starts the count of views again; null: unlimited',
      }),
      allowIndexing: Type.Boolean({ description: 'Whether search engines may list the note' }),
    }),
    { additionalProperties: false },
  ),
  { password: 'a lantern in the fog', expiresAt: exampleExpiry, maxViews: 50 },
);
export type ShareSettings = Static<typeof ShareSettings>;

export const Share = component(
  'Share',
  Type.Object({
    url: Type.String(),
    sharedAt: Timestamp,
    hasPassword: Type.Boolean(),
    expiresAt: NullableTimestamp,
    maxViews: Type.Union([Type.Integer(), Type.Null()]),
    views: Type.Integer({
      description: 'How often readers have opened the note since its maximum was set',
    }),
    allowIndexing: Type.Boolean(),
  }),
  {
    url: 'https://app.example.com/s/q2Vd8LrT0xYpK7sNwB4mZgq2Vd8LrT0xYpK7sNwB4mZ',
    sharedAt: EXAMPLE_TIMESTAMP,
    hasPassword: true,
    expiresAt: exampleExpiry,
    maxViews: 50,
    views: 3,
    allowIndexing: false,
  },
);
export type Share = Static<typeof Share>;

export const ShareTokenParams = Type.Object({
  token: Type.String({ minLength: 1, maxLength: 100 }),
});

export const SharedAttachmentParams = Type.Object({ ...ShareTokenParams.properties, id: AnyId });

export const SharedNoteAccess = Type.Object({
  [SHARE_ACCESS_HEADER]: Type.Optional(
    Type.String({ description: 'The `access` that opening the note has returned' }),
  ),
});

export const SharedNote = component(
  'SharedNote',
  Type.Object({
    title: Type.String(),
    content: Type.String(),
    tags: Type.Array(Type.String()),
    allowIndexing: Type.Boolean(),
    sharedAt: NullableTimestamp,
    updatedAt: Timestamp,
  }),
  {
    title: 'Plans for autumn',
    content: '# Plans\n\nPlant **tulips**.',
    tags: ['garden'],
    allowIndexing: false,
    sharedAt: EXAMPLE_TIMESTAMP,
    updatedAt: EXAMPLE_TIMESTAMP,
  },
);
export type SharedNote = Static<typeof SharedNote>;

export const ReadingConditions = component(
  'ReadingConditions',
  Type.Object({
    needsPassword: Type.Boolean(),
    viewsLeft: Type.Union([Type.Integer(), Type.Null()], { description: 'null: unlimited' }),
  }),
  { needsPassword: true, viewsLeft: 47 },
);
export type ReadingConditions = Static<typeof ReadingConditions>;

export const OpenSharedNoteBody = component(
  'OpenSharedNoteBody',
  Type.Object(
    { password: Type.Optional(Type.String({ maxLength: 128 })) },
    { additionalProperties: false },
  ),
  { password: 'a lantern in the fog' },
);

export const OpenedSharedNote = component(
  'OpenedSharedNote',
  Type.Object({
    access: Type.String({ description: `To be sent as ${SHARE_ACCESS_HEADER}` }),
    expiresAt: Timestamp,
  }),
  {
    access: '1769855400.3JhVq0m1x1lD8sYl5r3wS0h6l6mYb0jGf0N1z9kQ2aE',
    expiresAt: EXAMPLE_TIMESTAMP,
  },
);
export type OpenedSharedNote = Static<typeof OpenedSharedNote>;
