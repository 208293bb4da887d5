import Type, { type Static } from 'typebox';
import { component, exampleId } from '../component.ts';
import { AnyId, IdSchema } from '../ids.ts';
import { EXAMPLE_TIMESTAMP, Timestamp } from '../timestamps.ts';

/** How long a deleted note can be restored. */
export const TRASH_DAYS = 30;

export const TrashedNote = component(
  'TrashedNote',
  Type.Object({
    id: IdSchema('note'),
    workspaceId: IdSchema('ws'),
    title: Type.String(),
    tags: Type.Array(Type.String()),
    notesBelow: Type.Integer({
      minimum: 0,
      description:
        'How many notes below it went to the trash with it, and come back and go with it',
    }),
    deletedAt: Timestamp,
    purgedAt: { ...Timestamp, description: 'When it is deleted for good' },
  }),
  {
    id: exampleId('note'),
    workspaceId: exampleId('ws'),
    title: 'Plans for autumn',
    tags: ['garden'],
    notesBelow: 4,
    deletedAt: EXAMPLE_TIMESTAMP,
    purgedAt: '2026-03-02T09:30:00.000Z',
  },
);
export type TrashedNote = Static<typeof TrashedNote>;

export const TrashedNoteParams = Type.Object({
  id: AnyId,
  noteId: AnyId,
});
