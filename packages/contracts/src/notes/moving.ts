import Type from 'typebox';
import { component, exampleId } from '../component.ts';
import { AnyId } from '../ids.ts';

export const MoveNoteBody = component(
  'MoveNoteBody',
  Type.Object({ workspaceId: AnyId }, { additionalProperties: false }),
  { workspaceId: exampleId('ws') },
);

export const CopyNoteBody = component(
  'CopyNoteBody',
  Type.Object(
    {
      workspaceId: Type.Optional({
        ...AnyId,
        description: 'Where the copy goes; the workspace of the note by default',
      }),
      isTemplate: Type.Optional(
        Type.Boolean({ description: 'Whether the copy is a template; false by default' }),
      ),
    },
    { additionalProperties: false },
  ),
  { workspaceId: exampleId('ws') },
);
