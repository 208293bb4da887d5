import { AtriumError, type Workspace } from '@atrium/client';
import { useQueryClient } from '@tanstack/react-query';
import { queryKeys } from '../../session/query-keys.ts';
import { useSignedInText } from '../../texts/signed-in-texts.tsx';
import { reload } from '../../ui/lists/use-list.ts';
import { useErrorToast, useToast } from '../../ui/toasts/toasts.tsx';
import type { Place } from '../place.ts';
import { workspaces } from '../workspaces/workspaces.ts';

const SIBLINGS = 100;

export type WorkspaceName = Pick<Workspace, 'id' | 'name'>;

/** Moves a note to another workspace. Its message can undo that, and puts the note back where it was in the tree. */
export function useMove() {
  const { organising: texts } = useSignedInText();
  const toast = useToast();
  const showError = useErrorToast();
  const queryClient = useQueryClient();
  const send = (id: string, workspaceId: string) =>
    workspaces.moveNote(id, { workspaceId }, { ifMatch: '*' });

  return async (
    { id, title }: { id: string; title: string },
    from: WorkspaceName,
    to: WorkspaceName,
  ) => {
    const place = await findPlace(id, from.id);
    const moveBack = async () => {
      try {
        await send(id, from.id);
        toast(texts.movedBack(title, from.name));
        if (place !== null) await putBack(id, place);
      } catch (error) {
        showError(error);
      }
      await reload(queryClient, { queryKey: queryKeys.workspaces.all });
    };
    await send(id, to.id);
    toast(texts.moved(title, to.name), { undo: () => void moveBack() });
  };
}

/**
 * Where a note is in the tree; null for a template, which is not in it. A note with more siblings before it counts
 * as the last one.
 */
async function findPlace(noteId: string, workspaceId: string): Promise<Place | null> {
  const parents = await workspaces.listParents(noteId);
  const parentId = parents.data.at(-1)?.id ?? null;
  const query = { limit: SIBLINGS, ...(parentId !== null && { parentId }) };
  const { data: siblings, nextCursor } = await workspaces.listTree(workspaceId, query);
  const index = siblings.findIndex(({ id }) => id === noteId);
  if (index < 0) return nextCursor === null ? null : { parentId, after: undefined };
  return { parentId, after: siblings[index - 1]?.id ?? null };
}

/** Where the sibling before it is gone, the note becomes the last one. */
async function putBack(id: string, { parentId, after }: Place): Promise<void> {
  const last = () => workspaces.placeNote(id, { parentId });
  if (after === undefined) {
    await last();
    return;
  }
  try {
    await workspaces.placeNote(id, { parentId, after });
  } catch (error) {
    if (!(error instanceof AtriumError) || error.status !== 404) throw error;
    await last();
  }
}
