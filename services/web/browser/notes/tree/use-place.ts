import type { TreeNote } from '@atrium/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { queryKeys } from '../../session/query-keys.ts';
import { useErrorToast } from '../../ui/toasts/toasts.tsx';
import { workspaces } from '../workspaces/workspaces.ts';
import type { Place } from '../place.ts';
import { loadedLevel, PLACE_MUTATION, showPlaced } from './level.ts';

interface Placing {
  workspaceId: string;
  noteId: string;
  place: Place;
}

/** Puts notes elsewhere in the tree of their workspace: shown at once, and sent one after the other. */
export function usePlace() {
  const queryClient = useQueryClient();
  const showError = useErrorToast();
  const { mutate } = useMutation({
    mutationKey: PLACE_MUTATION,
    scope: { id: 'place-note' },
    mutationFn: ({ noteId, place: { parentId, after } }: Placing) =>
      workspaces.placeNote(noteId, { parentId, ...(after !== undefined && { after }) }),
    onError: showError,
    onSettled: async (_placed, _error, { workspaceId, noteId }) => {
      // What is loaded while another waits would be from before it.
      if (queryClient.isMutating({ mutationKey: PLACE_MUTATION }) > 1) return;
      await Promise.all([
        queryClient.invalidateQueries({ queryKey: queryKeys.workspaces.tree(workspaceId) }),
        queryClient.invalidateQueries({ queryKey: queryKeys.workspaces.parents(noteId) }),
      ]);
    },
  });

  function send(workspaceId: string, note: TreeNote, place: Place): void {
    void queryClient.cancelQueries({ queryKey: queryKeys.workspaces.tree(workspaceId) });
    showPlaced(queryClient, workspaceId, note, place);
    mutate({ workspaceId, noteId: note.id, place });
  }

  /** @returns puts the note back */
  return (workspaceId: string, note: TreeNote, place: Place): (() => void) => {
    const siblings = loadedLevel(queryClient, workspaceId, note.parentId);
    const index = siblings.findIndex(({ id }) => id === note.id);
    const before = { parentId: note.parentId, after: siblings[index - 1]?.id ?? null };
    send(workspaceId, note, place);
    return () => send(workspaceId, { ...note, parentId: place.parentId }, before);
  };
}
