import Type, { type Static } from 'typebox';
import { component, exampleId } from '../component.ts';
import { AnyId, IdSchema } from '../ids.ts';
import { ListQuery } from '../lists.ts';

/** How deep notes can be nested; one without a parent is on the first level. */
export const NOTE_LEVELS_MAX = 10;

const ParentId = Type.Union([IdSchema('note'), Type.Null()]);

/** A note as the tree of its workspace shows it. */
export const TreeNote = component(
  'TreeNote',
  Type.Object({
    id: IdSchema('note'),
    title: Type.String(),
    parentId: ParentId,
    position: Type.Number({
      description: 'Siblings ascend by it; two with the same one by their ids',
    }),
    hasChildren: Type.Boolean(),
  }),
  {
    id: exampleId('note'),
    title: 'Plans for autumn',
    parentId: null,
    position: 1,
    hasChildren: false,
  },
);
export type TreeNote = Static<typeof TreeNote>;

export const TreeQuery = Type.Object({
  ...ListQuery.properties,
  parentId: Type.Optional({
    ...AnyId,
    description: 'Whose children are listed; by default the notes without a parent',
  }),
});

export const PlaceNoteBody = component(
  'PlaceNoteBody',
  Type.Object(
    {
      parentId: Type.Union([AnyId, Type.Null()], {
        description: 'A note of the same workspace; null for none',
      }),
      after: Type.Optional(
        Type.Union([AnyId, Type.Null()], {
          description: 'The sibling that it follows; null for the first place, by default the last',
        }),
      ),
    },
    { additionalProperties: false },
  ),
  { parentId: null, after: exampleId('note') },
);

export const NoteParents = component(
  'NoteParents',
  Type.Object({
    data: Type.Array(Type.Object({ id: IdSchema('note'), title: Type.String() }), {
      maxItems: NOTE_LEVELS_MAX - 1,
    }),
  }),
  { data: [{ id: exampleId('note'), title: 'Garden' }] },
);
