import type { TrashedNote } from '@atrium/client';
import { useQueryClient } from '@tanstack/react-query';
import { useErrorToast, useToast } from '../../ui/toasts/toasts.tsx';
import { editRow, reload, useList } from '../../ui/lists/use-list.ts';
import { atrium } from '../../session/atrium.ts';
import { queryKeys } from '../../session/query-keys.ts';
import { useSignedInText } from '../../texts/signed-in-texts.tsx';
import { workspaces } from '../workspaces/workspaces.ts';

const PAGE_SIZE = 100;

export function useTrash() {
  return useList(queryKeys.workspaces.trash, (query, options) =>
    workspaces.listTrashedNotes({ ...query, limit: PAGE_SIZE }, options),
  );
}

export function useTrashActions() {
  const { trash: texts } = useSignedInText();
  const toast = useToast();
  const showError = useErrorToast();
  const queryClient = useQueryClient();
  const refresh = () => reload(queryClient, { queryKey: queryKeys.workspaces.all });
  /** The trash without a note; only the rest is loaded again. */
  const takeOut = (id: string) => {
    editRow<TrashedNote>(
      queryClient,
      { queryKey: queryKeys.workspaces.trash },
      id,
      () => undefined,
    );
    return reload(queryClient, {
      queryKey: queryKeys.workspaces.all,
      predicate: ({ queryKey }) => queryKey[1] !== queryKeys.workspaces.trash[1],
    });
  };
  const deleteAgain = (id: string) => {
    atrium.notes.deleteNote(id).then(refresh).catch(showError);
  };
  return {
    restore: async ({ id, title }: TrashedNote): Promise<void> => {
      try {
        await atrium.notes.restoreNote(id);
        toast(texts.restored(title), { undo: () => deleteAgain(id) });
        await takeOut(id);
      } catch (error) {
        showError(error);
        await refresh();
      }
    },
    erase: async ({ id, workspaceId, title }: TrashedNote): Promise<void> => {
      await workspaces.deleteTrashedNote(workspaceId, id);
      toast(texts.erase.done(title));
      await takeOut(id);
    },
    emptyTrash: async (workspaceIds: readonly string[]): Promise<void> => {
      for (const id of workspaceIds) await atrium.notes.emptyTrash(id);
      toast(texts.empty.done);
      await refresh();
    },
  };
}
