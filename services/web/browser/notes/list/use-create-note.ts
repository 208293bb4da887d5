import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useErrorToast } from '../../ui/toasts/toasts.tsx';
import { reload } from '../../ui/lists/use-list.ts';
import { atrium } from '../../session/atrium.ts';
import { queryKeys } from '../../session/query-keys.ts';
import { useSignedInText } from '../../texts/signed-in-texts.tsx';

/** A new note has a title, because every note has one; the editor selects it. */
export function createNoteIn(workspaceId: string, title: string, parentId?: string) {
  return atrium.notes.createNote(workspaceId, {
    title,
    ...(parentId !== undefined && { parentId }),
  });
}

/** Makes a note in the workspace that is named by its id, or found when it is needed, and opens it. */
export function useCreateNote() {
  const text = useSignedInText();
  const showError = useErrorToast();
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (findWorkspaceId: () => string | Promise<string>) =>
      createNoteIn(await findWorkspaceId(), text.notes.list.untitled),
    onSuccess: async ({ id }) => {
      void reload(queryClient, { queryKey: queryKeys.workspaces.all });
      await navigate({ to: '/notes/$id', params: { id } });
    },
    onError: showError,
  });
}
