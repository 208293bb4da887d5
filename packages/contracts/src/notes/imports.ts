import Type, { type Static } from 'typebox';
import { component, exampleId } from '../component.ts';
import { AnyId, IdSchema } from '../ids.ts';
import { EXAMPLE_TIMESTAMP, NullableTimestamp, Timestamp } from '../timestamps.ts';

/** How much of what was left out an import names. */
export const IMPORT_SKIPPED_MAX = 100;

const ImportState = Type.Union([
  Type.Literal('uploading'),
  Type.Literal('waiting'),
  Type.Literal('running'),
  Type.Literal('completed'),
  Type.Literal('failed'),
]);

/** An archive that becomes notes of a workspace. */
export const Import = component(
  'Import',
  Type.Object({
    id: IdSchema('imp'),
    workspaceId: IdSchema('ws'),
    state: ImportState,
    total: Type.Integer({ description: 'Notes and files to import; 0 until they are counted' }),
    done: Type.Integer({ description: 'How many of them are dealt with' }),
    created: Type.Integer({ description: 'Notes created' }),
    unchanged: Type.Integer({ description: 'Notes that an earlier import had created' }),
    skipped: Type.Array(Type.Object({ path: Type.String(), reason: Type.String() }), {
      description: `What was left out and why: the first ${IMPORT_SKIPPED_MAX}`,
    }),
    skippedCount: Type.Integer(),
    source: Type.Union(
      [Type.Object({ name: Type.String(), description: Type.String() }), Type.Null()],
      { description: 'The workspace that was exported; null when the archive does not say' },
    ),
    error: Type.Union([Type.String(), Type.Null()], { description: 'Why it failed' }),
    createdAt: Timestamp,
    finishedAt: NullableTimestamp,
  }),
  {
    id: exampleId('imp'),
    workspaceId: exampleId('ws'),
    state: 'completed',
    total: 43,
    done: 43,
    created: 41,
    unchanged: 0,
    skipped: [{ path: 'table.csv', reason: 'No note refers to it' }],
    skippedCount: 1,
    source: { name: 'Work', description: 'Meetings and plans' },
    error: null,
    createdAt: EXAMPLE_TIMESTAMP,
    finishedAt: '2026-01-31T09:30:02.000Z',
  },
);
export type Import = Static<typeof Import>;

export const ImportParams = Type.Object({
  id: AnyId,
  importId: AnyId,
});
