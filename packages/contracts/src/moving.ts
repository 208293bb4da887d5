import Type from 'typebox';
import { component, exampleId } from './component.ts';

/** Any short text: a workspace that cannot exist is not found (404). */
const WorkspaceId = Type.String({ minLength: 1, maxLength: 100 });

export const MoveNoteBody = component(
  'MoveNoteBody',
  Type.Object({ workspaceId: WorkspaceId }, { additionalProperties: false }),
  { workspaceId: exampleId('ws') },
);

export const CopyNoteBody = component(
  'CopyNoteBody',
  Type.Object(
    {
      workspaceId: Type.Optional({
        ...WorkspaceId,
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
