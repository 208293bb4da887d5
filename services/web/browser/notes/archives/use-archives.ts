import type { Import, Workspace } from '@atrium/client';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { queryKeys } from '../../session/query-keys.ts';
import { saveFile, TRANSFER_MAX_MS } from '../../ui/save-file.ts';
import { reload } from '../../ui/lists/use-list.ts';
import { checkSize } from '../attachments/check-size.ts';
import { files } from '../../session/files.ts';
import { useOwnerPlan } from '../workspaces/use-owner-plan.ts';

const POLL_MS = 1_000;

export const isUnfinished = ({ state }: Import) => state !== 'completed' && state !== 'failed';

/** The latest import into a workspace, followed until it is finished, and what begins another. */
export function useImports({ id: workspaceId, role }: Workspace) {
  const plan = useOwnerPlan(role);
  const queryClient = useQueryClient();
  const key = queryKeys.notes.imports(workspaceId);
  const latest = useQuery({
    queryKey: key,
    queryFn: async ({ signal }) => {
      const { data } = await files.listImports(workspaceId, { limit: 1 }, { signal });
      const [found = null] = data;
      const before = queryClient.getQueryData<Import | null>(key);
      if (before && isUnfinished(before) && found && !isUnfinished(found)) {
        void reload(queryClient, { queryKey: queryKeys.workspaces.all });
      }
      return found;
    },
    refetchInterval: ({ state: { data } }) => (data && isUnfinished(data) ? POLL_MS : false),
  });
  const start = useMutation({
    mutationFn: async (archive: File) => {
      await checkSize('archive', archive, plan);
      return files.importNotes(workspaceId, archive, { deadlineMs: TRANSFER_MAX_MS });
    },
    onSuccess: (started) => queryClient.setQueryData(key, started),
  });
  return { latest, start };
}

export async function downloadWorkspace({ id, name }: Workspace): Promise<void> {
  const archive = await files.exportWorkspace(id, { deadlineMs: TRANSFER_MAX_MS });
  saveFile(`${name}.zip`, await new Response(archive).blob());
}
