import Type, { type Static } from 'typebox';
import { IdSchema } from './ids.ts';
import { NullableTimestamp, Timestamp } from './timestamps.ts';

/** Limits of a plan (INTERFACE 8); Infinity stands for "unlimited". */
export const PLAN_LIMITS = {
  free: { workspaces: 5, notesPerWorkspace: 100, noteSizeBytes: 51_200 },
  pro: {
    workspaces: Number.POSITIVE_INFINITY,
    notesPerWorkspace: Number.POSITIVE_INFINITY,
    noteSizeBytes: 512_000,
  },
} as const;

const Name = Type.String({ minLength: 1, maxLength: 100 });
const Description = Type.String({ maxLength: 1000 });
const Title = Type.String({ minLength: 1, maxLength: 200 });
const Content = Type.String();
const Tags = Type.Array(Type.String({ minLength: 1, maxLength: 50 }), {
  maxItems: 20,
  uniqueItems: true,
});

export const CreateWorkspaceBody = Type.Object(
  { name: Name, description: Type.Optional(Description) },
  { additionalProperties: false },
);
export const ChangeWorkspaceBody = Type.Partial(
  Type.Object({ name: Name, description: Description }),
  { additionalProperties: false, minProperties: 1 },
);

/** INTERFACE 2.4. */
export const Workspace = Type.Object({
  id: IdSchema('ws'),
  name: Type.String(),
  description: Type.String(),
  noteCount: Type.Integer(),
  createdAt: Timestamp,
});
export type Workspace = Static<typeof Workspace>;

/** INTERFACE 2.5: `content`, `tags` and `pinned` may be left out. */
export const CreateNoteBody = Type.Object(
  {
    title: Title,
    content: Type.Optional(Content),
    tags: Type.Optional(Tags),
    pinned: Type.Optional(Type.Boolean()),
  },
  { additionalProperties: false },
);
export const ChangeNoteBody = Type.Partial(
  Type.Object({ title: Title, content: Content, tags: Tags, pinned: Type.Boolean() }),
  { additionalProperties: false, minProperties: 1 },
);

export const Note = Type.Object({
  id: IdSchema('note'),
  workspaceId: IdSchema('ws'),
  title: Type.String(),
  content: Type.String(),
  tags: Type.Array(Type.String()),
  pinned: Type.Boolean(),
  /** Where the public can read it; null while it is private. */
  sharedUrl: Type.Union([Type.String(), Type.Null()]),
  createdAt: Timestamp,
  updatedAt: Timestamp,
});
export type Note = Static<typeof Note>;

/** A list of notes leaves their contents out: a page of them could weigh 50 MB. */
export const NoteSummary = Type.Omit(Note, ['content']);
export type NoteSummary = Static<typeof NoteSummary>;

export const ShareResponse = Type.Object({ url: Type.String(), sharedAt: Timestamp });

export const SharedNote = Type.Object({
  title: Type.String(),
  content: Type.String(),
  tags: Type.Array(Type.String()),
  sharedAt: NullableTimestamp,
  updatedAt: Timestamp,
});

export const SearchQuery = Type.Object({
  q: Type.String({ minLength: 1, maxLength: 200 }),
  workspace: Type.Optional(Type.String({ maxLength: 100 })),
  limit: Type.Integer({ minimum: 1, maximum: 100, default: 20 }),
});

/** INTERFACE 2.6. */
export const SearchResult = Type.Object({
  id: IdSchema('note'),
  title: Type.String(),
  snippet: Type.String(),
  workspaceId: IdSchema('ws'),
  workspaceName: Type.String(),
  relevance: Type.Number({ minimum: 0, maximum: 1 }),
});
export type SearchResult = Static<typeof SearchResult>;

export const SearchResponse = Type.Object({
  results: Type.Array(SearchResult),
  total: Type.Integer(),
  query: Type.String(),
});
