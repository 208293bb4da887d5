import type { ReactNode } from 'react';
import { PresentPeople } from '../presence/present-people.tsx';
import { Breadcrumb } from '../tree/breadcrumb.tsx';
import type { OpenNote } from '../saving/open-note.ts';
import classes from './editor.module.css';

/** Above a note: where it is, who has it open, and what can be done with it. */
export function NoteBar({ note, children }: { note: OpenNote; children: ReactNode }) {
  return (
    <div className={classes.bar}>
      <Breadcrumb noteId={note.id} workspaceId={note.opened.workspaceId} />
      <div className={classes.actions}>
        <PresentPeople note={note} />
        {children}
      </div>
    </div>
  );
}
