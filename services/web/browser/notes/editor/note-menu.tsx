import { useNavigate } from '@tanstack/react-router';
import { Suspense, useState, useSyncExternalStore } from 'react';
import { ActionsMenu } from '../../ui/controls/actions-menu.tsx';
import { PopoverMenuItem, PopoverMenuLink } from '../../ui/controls/popover-menu.tsx';
import { LatePart } from '../../ui/late/late-page.tsx';
import { lazyPart } from '../../ui/lazy-part.tsx';
import { useSignedInText } from '../../texts/signed-in-texts.tsx';
import { useNoteActions } from '../list/use-notes.ts';
import { useOrganise } from '../organising/use-organise.ts';
import type { OpenNote } from '../saving/open-note.ts';

const OrganiseDialog = lazyPart(
  async () => (await import('../organising/organise-dialog.tsx')).OrganiseDialog,
);

/** What is done with a note now and then. */
export function NoteMenu({ note, canWrite }: { note: OpenNote; canWrite: boolean }) {
  const { notes, history, organising } = useSignedInText();
  const [isOrganising, setOrganising] = useState(false);
  const { pinned } = useSyncExternalStore(note.subscribe, note.fields);
  const deleteNote = useDeleteNote(note);
  const { saveAsTemplate } = useOrganise(note);
  return (
    <>
      <ActionsMenu label={notes.editor.more}>
        <PopoverMenuLink to={`/notes/${note.id}/history`}>{history.title}</PopoverMenuLink>
        {canWrite && (
          <PopoverMenuItem onClick={() => note.change({ pinned: !pinned })}>
            {pinned ? notes.list.unpin : notes.list.pin}
          </PopoverMenuItem>
        )}
        <PopoverMenuItem onClick={() => setOrganising(true)}>{organising.title}</PopoverMenuItem>
        {canWrite && !note.opened.isTemplate && (
          <PopoverMenuItem onClick={() => void saveAsTemplate()}>
            {organising.saveAsTemplate}
          </PopoverMenuItem>
        )}
        {canWrite && (
          <PopoverMenuItem isDanger onClick={() => void deleteNote()}>
            {notes.list.delete}
          </PopoverMenuItem>
        )}
      </ActionsMenu>
      {isOrganising && (
        <Suspense fallback={<LatePart />}>
          <OrganiseDialog note={note} onClose={() => setOrganising(false)} />
        </Suspense>
      )}
    </>
  );
}

function useDeleteNote(note: OpenNote) {
  const navigate = useNavigate();
  const { id, workspaceId } = note.opened;
  const { remove } = useNoteActions();
  return async () => {
    await note.saver.flush();
    const isDeleted = await remove({ id, title: note.fields().title });
    if (isDeleted) await navigate({ to: '/workspaces/$id', params: { id: workspaceId } });
  };
}
