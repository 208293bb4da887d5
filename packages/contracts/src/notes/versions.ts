import Type, { type Static } from 'typebox';
import { component, exampleId } from '../component.ts';
import { AnyId, IdSchema } from '../ids.ts';
import { EXAMPLE_TIMESTAMP, Timestamp } from '../timestamps.ts';

const Nullable = <T extends Type.TSchema>(schema: T) => Type.Union([schema, Type.Null()]);

const exampleVersion = {
  id: exampleId('ver'),
  noteId: exampleId('note'),
  title: 'Plans for autumn',
  name: null,
  authorId: exampleId('usr'),
  createdAt: EXAMPLE_TIMESTAMP,
  isCurrent: true,
};
const exampleText = { content: '# Plans\n\nPlant **tulips**.', tags: ['garden'] };

export const VersionSummary = component(
  'VersionSummary',
  Type.Object({
    id: IdSchema('ver'),
    noteId: IdSchema('note'),
    title: Type.String(),
    name: Nullable(Type.String()),
    authorId: Nullable(Type.String({ description: 'Null when the account no longer exists' })),
    createdAt: Timestamp,
    isCurrent: Type.Boolean({ description: 'Whether the note is as this version says' }),
  }),
  exampleVersion,
);
export type VersionSummary = Static<typeof VersionSummary>;

export const Version = component(
  'Version',
  Type.Object({
    ...VersionSummary.properties,
    content: Type.String(),
    tags: Type.Array(Type.String()),
  }),
  { ...exampleVersion, ...exampleText },
);
export type Version = Static<typeof Version>;

export const NameVersionBody = component(
  'NameVersionBody',
  Type.Object(
    { name: Type.String({ minLength: 1, maxLength: 100 }) },
    { additionalProperties: false },
  ),
  { name: 'Sent to the printer' },
);

export const VersionParams = Type.Object({
  id: AnyId,
  versionId: AnyId,
});

export const ComparisonQuery = Type.Object({
  to: Type.Optional(
    Type.String({ maxLength: 100, description: 'Another version; the current one by default' }),
  ),
});

const DiffKind = Type.Union([Type.Literal('same'), Type.Literal('removed'), Type.Literal('added')]);

/** A run of equal lines, or one line that was removed or added; of very many changed lines, all of them. */
export const DiffBlock = Type.Object({
  kind: DiffKind,
  parts: Type.Array(
    Type.Object({
      text: Type.String(),
      isChanged: Type.Boolean({ description: 'Whether these words differ within a changed line' }),
    }),
  ),
});
export type DiffBlock = Static<typeof DiffBlock>;

export const Comparison = component(
  'Comparison',
  Type.Object({
    from: VersionSummary,
    to: VersionSummary,
    title: Type.Array(DiffBlock),
    content: Type.Array(DiffBlock),
    tags: Type.Object({ removed: Type.Array(Type.String()), added: Type.Array(Type.String()) }),
  }),
  {
    from: { ...exampleVersion, isCurrent: false },
    to: exampleVersion,
    title: [{ kind: 'same', parts: [{ text: 'Plans for autumn', isChanged: false }] }],
    content: [
      {
        kind: 'removed',
        parts: [
          { text: 'Plant ', isChanged: false },
          { text: 'roses', isChanged: true },
          { text: '.', isChanged: false },
        ],
      },
      {
        kind: 'added',
        parts: [
          { text: 'Plant ', isChanged: false },
          { text: 'tulips', isChanged: true },
          { text: '.', isChanged: false },
        ],
      },
    ],
    tags: { removed: [], added: ['garden'] },
  },
);
export type Comparison = Static<typeof Comparison>;
