import Type, { type Static } from 'typebox';
import { component, exampleId } from '../component.ts';
import { AnyId, IdSchema } from '../ids.ts';
import { ListQuery } from '../lists.ts';
import { Role } from './members.ts';
import { PLAN_LIMITS } from '../plan-limits.ts';
import { EXAMPLE_TIMESTAMP, Timestamp } from '../timestamps.ts';

const Name = Type.String({ minLength: 1, maxLength: 100 });
const Description = Type.String({ maxLength: 1000 });
const Title = Type.String({ minLength: 1, maxLength: 200 });
/** Twice what any plan allows: below that, the answer names the limit of the plan. */
const Content = Type.String({ maxLength: 2 * PLAN_LIMITS.pro.noteSizeBytes });
export const TagName = Type.String({ minLength: 1, maxLength: 50 });
const Tags = Type.Array(TagName, { maxItems: 20, uniqueItems: true });

const exampleWorkspace = { name: 'Work', description: 'Meetings and plans' };

export const CreateWorkspaceBody = component(
  'CreateWorkspaceBody',
  Type.Object(
    { name: Name, description: Type.Optional(Description) },
    { additionalProperties: false },
  ),
  exampleWorkspace,
);
export const ChangeWorkspaceBody = component(
  'ChangeWorkspaceBody',
  Type.Partial(Type.Object({ name: Name, description: Description }), {
    additionalProperties: false,
    minProperties: 1,
  }),
  { name: 'Projects' },
);

/** INTERFACE 2.4, and the role of the account that asks. */
export const Workspace = component(
  'Workspace',
  Type.Object({
    id: IdSchema('ws'),
    name: Type.String(),
    description: Type.String(),
    noteCount: Type.Integer(),
    role: Role,
    createdAt: Timestamp,
  }),
  {
    id: exampleId('ws'),
    ...exampleWorkspace,
    noteCount: 0,
    role: 'owner',
    createdAt: EXAMPLE_TIMESTAMP,
  },
);
export type Workspace = Static<typeof Workspace>;

const exampleNote = {
  title: 'Plans for autumn',
  content: '# Plans\n\nPlant **tulips**.',
  tags: ['garden'],
  pinned: false,
};

/** INTERFACE 2.5: all but the title may be left out. */
export const CreateNoteBody = component(
  'CreateNoteBody',
  Type.Object(
    {
      title: Title,
      content: Type.Optional(Content),
      tags: Type.Optional(Tags),
      pinned: Type.Optional(Type.Boolean()),
      parentId: Type.Optional({
        ...AnyId,
        description: 'The note that it goes below, as the last one; none by default',
      }),
    },
    { additionalProperties: false },
  ),
  exampleNote,
);
export const ChangeNoteBody = component(
  'ChangeNoteBody',
  Type.Partial(
    Type.Object({ title: Title, content: Content, tags: Tags, pinned: Type.Boolean() }),
    { additionalProperties: false, minProperties: 1 },
  ),
  { pinned: true },
);

const exampleSummary = {
  id: exampleId('note'),
  workspaceId: exampleId('ws'),
  title: exampleNote.title,
  tags: exampleNote.tags,
  pinned: exampleNote.pinned,
  favourite: false,
  isTemplate: false,
  parentId: null,
  sharedUrl: null,
  createdAt: EXAMPLE_TIMESTAMP,
  updatedAt: EXAMPLE_TIMESTAMP,
};

export const Note = component(
  'Note',
  Type.Object({
    id: IdSchema('note'),
    workspaceId: IdSchema('ws'),
    title: Type.String(),
    content: Type.String(),
    tags: Type.Array(Type.String()),
    pinned: Type.Boolean(),
    favourite: Type.Boolean({ description: 'Of the account that asks' }),
    isTemplate: Type.Boolean(),
    parentId: Type.Union([IdSchema('note'), Type.Null()], {
      description: 'The note of the same workspace that it is below',
    }),
    /** Where the public can read it; null while it is private. */
    sharedUrl: Type.Union([Type.String(), Type.Null()]),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  }),
  { ...exampleSummary, content: exampleNote.content },
);
export type Note = Static<typeof Note>;

/** Lists leave out the contents: a page of them could weigh 50 MB. */
export const NoteSummary = component(
  'NoteSummary',
  Type.Object({
    ...Type.Omit(Note, ['content']).properties,
    authorId: Type.Optional(
      Type.Union([IdSchema('usr'), Type.Null()], {
        description:
          'Who wrote its text last, in the list of a workspace; null when the account no longer exists',
      }),
    ),
  }),
  { ...exampleSummary, authorId: exampleId('usr') },
);
export type NoteSummary = Static<typeof NoteSummary>;

/** `tags` may be repeated in the query string. */
export const NoteListQuery = Type.Object({
  ...ListQuery.properties,
  sort: Type.Union([Type.Literal('created'), Type.Literal('updated'), Type.Literal('title')], {
    default: 'created',
    description: 'Pinned notes come first in every order',
  }),
  order: Type.Optional(
    Type.Union([Type.Literal('asc'), Type.Literal('desc')], {
      description: 'By default, titles ascend and times descend',
    }),
  ),
  tags: Type.Optional(Tags),
  match: Type.Union([Type.Literal('all'), Type.Literal('any'), Type.Literal('none')], {
    default: 'all',
    description: 'How many of the `tags` a note has',
  }),
  favourite: Type.Optional(Type.Boolean({ description: 'Only favourites, or only others' })),
  shared: Type.Optional(Type.Boolean({ description: 'Only public notes, or only others' })),
});
export type NoteListQuery = Static<typeof NoteListQuery>;
