import { atrium } from '../../session/atrium.ts';
import { wasCreatedHere } from '../list/use-create-note.ts';
import type { OpenNote } from '../saving/open-note.ts';
import { workspaces } from '../workspaces/workspaces.ts';

/**
 * Removes a note for good that was made here, and left without a word in it or a note below it.
 *
 * @param untitled the title that every note is made with
 * @returns whether it is gone
 */
export async function removeUnwritten(note: OpenNote, untitled: string): Promise<boolean> {
  const { id, opened, saver } = note;
  const { title, tags, pinned } = note.fields();
  const isUnwritten =
    ['', untitled].includes(title.trim()) && tags.length === 0 && !pinned && note.content() === '';
  // Its other pages, as its history, belong to it.
  const isLeft = () => !location.pathname.startsWith(`/notes/${id}`);
  if (!isUnwritten || !isLeft() || !wasCreatedHere(id) || note.stored().etag !== opened.etag)
    return false;
  try {
    // The note may have been moved, or have notes below it: neither changes its entity tag.
    const { workspaceId } = await atrium.notes.getNote(id);
    const below = await workspaces.listTree(workspaceId, { parentId: id, limit: 1 });
    if (below.data.length > 0 || !isLeft()) return false;
    // Not when somebody else has written it meanwhile.
    await atrium.notes.deleteNote(id, { ifMatch: opened.etag });
    await Promise.allSettled([saver.discard(), eraseAlone(workspaceId, id, isLeft)]);
    return true;
  } catch {
    // An empty note is left, as it would be anyway.
    return false;
  }
}

/**
 * Deletes a note in the trash for good. It is restored instead when its page was opened again, or when another note
 * was put below it at the last moment and went into the trash with it.
 */
async function eraseAlone(workspaceId: string, id: string, isLeft: () => boolean): Promise<void> {
  const { data: trash } = await atrium.notes.listTrash(workspaceId);
  const entry = trash.find((each) => each.id === id);
  if (entry?.notesBelow === 0 && isLeft()) await workspaces.deleteTrashedNote(workspaceId, id);
  else if (entry !== undefined) await atrium.notes.restoreNote(id);
}
