import { useQueryClient } from '@tanstack/react-query';
import { queryKeys } from '../../session/query-keys.ts';
import { useSignedInText } from '../../texts/signed-in-texts.tsx';
import { reload } from '../../ui/lists/use-list.ts';
import { useErrorToast, useToast } from '../../ui/toasts/toasts.tsx';
import { workspaces } from '../workspaces/workspaces.ts';

const SIBLINGS = 100;

export interface Place {
  id: string;
  name: string;
}

/** Moves a note to another workspace. Its message can undo that, and puts the note back where it was in the tree. */
export function useMove() {
  const { organising: texts } = useSignedInText();
  const toast = useToast();
  const showError = useErrorToast();
  const queryClient = useQueryClient();
  const send = (id: string, workspaceId: string) =>
    workspaces.moveNote(id, { workspaceId }, { ifMatch: '*' });

  return async ({ id, title }: { id: string; title: string }, from: Place, to: Place) => {
    const { parentId, after } = await findPlace(id, from.id);
    const moveBack = async () => {
      try {
        await send(id, from.id);
        toast(texts.movedBack(title, from.name));
        await workspaces.placeNote(id, { parentId, ...(after !== undefined && { after }) });
      } catch (error) {
        showError(error);
      }
      await reload(queryClient, { queryKey: queryKeys.workspaces.all });
    };
    await send(id, to.id);
    toast(texts.moved(title, to.name), { undo: () => void moveBack() });
  };
}

/** Where a note is in the tree. After that many siblings, where new notes are, it counts as the last one. */
async function findPlace(noteId: string, workspaceId: string) {
  const parents = await workspaces.listParents(noteId);
  const parentId = parents.data.at(-1)?.id ?? null;
  const query = { limit: SIBLINGS, ...(parentId !== null && { parentId }) };
  const { data: siblings } = await workspaces.listTree(workspaceId, query);
  const index = siblings.findIndex(({ id }) => id === noteId);
  return { parentId, after: index < 0 ? undefined : (siblings[index - 1]?.id ?? null) };
}
