import { useQueryClient } from '@tanstack/react-query';
import { queryKeys } from '../../session/query-keys.ts';
import { reload } from '../../ui/lists/use-list.ts';
import { workspaces } from '../workspaces/workspaces.ts';

/** Changes of every note with a tag, which may be thousands. */
const CHANGE_DEADLINE_MS = 300_000;

export function useTagActions(workspaceId: string) {
  const queryClient = useQueryClient();
  const refresh = () => reload(queryClient, { queryKey: queryKeys.workspaces.all });
  const options = { deadlineMs: CHANGE_DEADLINE_MS };
  return {
    rename: async (tag: string, name: string, merge: boolean) => {
      await workspaces.renameTag(workspaceId, tag, { name, merge }, options);
      await refresh();
    },
    remove: async (tag: string) => {
      await workspaces.deleteTag(workspaceId, tag, options);
      await refresh();
    },
  };
}
