import type { TrashedNote } from '@atrium/client';
import { useQueryClient } from '@tanstack/react-query';
import { useErrorToast, useToast } from '../../frame/toasts/toasts.tsx';
import { useList } from '../../frame/lists/use-list.ts';
import { atrium } from '../../session/atrium.ts';
import { useSignedInText } from '../../texts/signed-in-texts.tsx';
import { WORKSPACES_KEY } from '../workspaces/use-workspaces.ts';
import { workspaces } from '../workspaces/workspaces.ts';

const PAGE_SIZE = 100;

/** Below the key of the workspaces: a note that is deleted elsewhere refreshes it too. */
export function useTrash() {
  return useList([...WORKSPACES_KEY, 'trash'], (query, options) =>
    workspaces.listTrashedNotes({ ...query, limit: PAGE_SIZE }, options),
  );
}

export function useTrashActions() {
  const { trash: texts } = useSignedInText();
  const toast = useToast();
  const showError = useErrorToast();
  const queryClient = useQueryClient();
  const refresh = () => queryClient.invalidateQueries({ queryKey: WORKSPACES_KEY });
  const deleteAgain = (id: string) => {
    atrium.notes.deleteNote(id).then(refresh).catch(showError);
  };
  return {
    restore: async ({ id, title }: TrashedNote): Promise<void> => {
      try {
        await atrium.notes.restoreNote(id);
        toast(texts.restored(title), { undo: () => deleteAgain(id) });
      } catch (error) {
        showError(error);
      }
      await refresh();
    },
    erase: async ({ id, workspaceId, title }: TrashedNote): Promise<void> => {
      await workspaces.deleteTrashedNote(workspaceId, id);
      toast(texts.erase.done(title));
      await refresh();
    },
    emptyTrash: async (workspaceIds: readonly string[]): Promise<void> => {
      for (const id of workspaceIds) await atrium.notes.emptyTrash(id);
      toast(texts.empty.done);
      await refresh();
    },
  };
}
