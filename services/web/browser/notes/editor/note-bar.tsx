import type { ReactNode } from 'react';
import { TextLink } from '../../ui/controls/links.tsx';
import { useSignedInText } from '../../texts/signed-in-texts.tsx';
import { PresentPeople } from '../presence/present-people.tsx';
import { Parents } from '../tree/parents.tsx';
import type { OpenNote } from '../saving/open-note.ts';
import { useWorkspace } from '../workspaces/use-workspaces.ts';
import classes from './editor.module.css';

/** Above a note: where it is, who has it open, and what can be done with it. */
export function NoteBar({ note, children }: { note: OpenNote; children: ReactNode }) {
  const { notes } = useSignedInText();
  const { workspaceId } = note.opened;
  const { data: workspace } = useWorkspace(workspaceId);
  return (
    <div className={classes.bar}>
      <TextLink
        to="/workspaces/$id"
        params={{ id: workspaceId }}
        size="sm"
        truncate
        className={classes.workspace ?? ''}
      >
        {workspace?.name ?? notes.title}
      </TextLink>
      <Parents noteId={note.id} />
      <div className={classes.actions}>
        <PresentPeople note={note} />
        {children}
      </div>
    </div>
  );
}
