import { AtriumError, type Share, type Tagged } from '@atrium/client';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { queryKeys } from '../../session/query-keys.ts';
import { showChange } from '../list/use-notes.ts';
import { workspaces } from '../workspaces/workspaces.ts';

/** How a note is shared; null while it is private. */
export function useShare(noteId: string) {
  return useQuery({
    queryKey: queryKeys.notes.share(noteId),
    queryFn: async ({ signal }): Promise<Tagged<Share> | null> => {
      try {
        return await workspaces.getShare(noteId, { signal });
      } catch (error) {
        if (error instanceof AtriumError && error.status === 404) return null;
        throw error;
      }
    },
    // Views are counted meanwhile, and other members may share the note or stop that.
    gcTime: 0,
  });
}

/** Shows a share as a service has just returned it. */
export function useShowShare(noteId: string): (share: Tagged<Share> | null) => void {
  const queryClient = useQueryClient();
  return (share) => queryClient.setQueryData(queryKeys.notes.share(noteId), share);
}

/** Shows in lists where the public can read a note; null when it is private again. */
export function useShowShared(noteId: string): (sharedUrl: string | null) => void {
  const queryClient = useQueryClient();
  return (sharedUrl) =>
    void showChange(queryClient, noteId, { sharedUrl }, ({ shared }) => shared === undefined);
}
