import { Link, useNavigate } from '@tanstack/react-router';
import { Suspense, useId, useState, useSyncExternalStore } from 'react';
import { IconButton } from '../../ui/controls/icon-button.tsx';
import { LatePart } from '../../ui/late/late-page.tsx';
import { lazyPart } from '../../ui/lazy-part.tsx';
import { useSignedInText } from '../../texts/signed-in-texts.tsx';
import { useNoteActions } from '../list/use-notes.ts';
import { useOrganise } from '../organising/use-organise.ts';
import type { OpenNote } from '../saving/open-note.ts';
import classes from '../../ui/controls/popover-menu.module.css';

const OrganiseDialog = lazyPart(
  async () => (await import('../organising/organise-dialog.tsx')).OrganiseDialog,
);

const GAP_PX = 4;

/** What is done with a note now and then. The browser opens it, and closes it on Escape and beside it. */
export function NoteMenu({ note, canWrite }: { note: OpenNote; canWrite: boolean }) {
  const { notes, history, organising } = useSignedInText();
  const [isOrganising, setOrganising] = useState(false);
  const popover = useId();
  const closes = { popoverTarget: popover, popoverTargetAction: 'hide' } as const;
  const { pinned } = useSyncExternalStore(note.subscribe, note.fields);
  const deleteNote = useDeleteNote(note);
  const { saveAsTemplate } = useOrganise(note);
  return (
    <>
      <IconButton icon="more" label={notes.editor.more} popoverTarget={popover} />
      <div
        id={popover}
        popover="auto"
        className={classes.menu}
        onBeforeToggle={({ currentTarget }) => placeBelow(currentTarget)}
      >
        <Link to="/notes/$id/history" params={{ id: note.id }} className={classes.item}>
          {history.title}
        </Link>
        {canWrite && (
          <button
            type="button"
            {...closes}
            className={classes.item}
            onClick={() => note.change({ pinned: !pinned })}
          >
            {pinned ? notes.list.unpin : notes.list.pin}
          </button>
        )}
        <button
          type="button"
          {...closes}
          className={classes.item}
          onClick={() => setOrganising(true)}
        >
          {organising.title}
        </button>
        {canWrite && !note.opened.isTemplate && (
          <button
            type="button"
            {...closes}
            className={classes.item}
            onClick={() => void saveAsTemplate()}
          >
            {organising.saveAsTemplate}
          </button>
        )}
        {canWrite && (
          <button
            type="button"
            {...closes}
            className={classes.item}
            data-danger
            onClick={() => void deleteNote()}
          >
            {notes.list.delete}
          </button>
        )}
      </div>
      {isOrganising && (
        <Suspense fallback={<LatePart />}>
          <OrganiseDialog note={note} onClose={() => setOrganising(false)} />
        </Suspense>
      )}
    </>
  );
}

/** At the right edge of its button. */
function placeBelow(popover: HTMLElement): void {
  const button = document.querySelector(`[popovertarget="${popover.id}"]`);
  if (button === null) return;
  const { right, bottom } = button.getBoundingClientRect();
  popover.style.top = `${bottom + GAP_PX}px`;
  popover.style.right = `${document.documentElement.clientWidth - right}px`;
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
