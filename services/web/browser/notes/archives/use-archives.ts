import type { Import, Workspace } from '@atrium/client';
import { skipToken, useQuery, useQueryClient } from '@tanstack/react-query';
import { queryKeys } from '../../session/query-keys.ts';
import { saveFile } from '../../ui/save-file.ts';
import { reload } from '../../ui/lists/use-list.ts';
import { useErrorToast } from '../../ui/toasts/toasts.tsx';
import { checkSize } from '../attachments/check-size.ts';
import { files } from '../../session/files.ts';
import { useOwnerPlan } from '../workspaces/use-owner-plan.ts';

const POLL_MS = 1_000;

export const isUnfinished = ({ state }: Import) => state !== 'completed' && state !== 'failed';

/** An archive on its way to the service, or what went wrong with it. */
type ArchiveUpload = { kind: 'sending'; percent: number } | { kind: 'failed'; error: unknown };

/** The latest import into a workspace, followed until it is finished, and what begins another. */
export function useImports({ id: workspaceId, role }: Workspace) {
  const plan = useOwnerPlan(role);
  const showError = useErrorToast();
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
  const uploadKey = queryKeys.notes.archiveUpload(workspaceId);
  // What is sent goes on without the dialog, which finds it here when it is opened again.
  const { data: upload = null } = useQuery<ArchiveUpload | null>({
    queryKey: uploadKey,
    queryFn: skipToken,
    gcTime: Infinity,
  });
  const show = (state: ArchiveUpload | null) => queryClient.setQueryData(uploadKey, state);
  async function start(archive: File): Promise<void> {
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', warn);
    show({ kind: 'sending', percent: 0 });
    try {
      await checkSize('archive', archive, plan);
      const started = await files.importNotes(workspaceId, archive, {
        onProgress: (sentBytes) =>
          show({ kind: 'sending', percent: (sentBytes / archive.size) * 100 }),
      });
      queryClient.setQueryData(key, started);
      show(null);
    } catch (error) {
      show({ kind: 'failed', error });
      const isShown = queryClient.getQueryCache().find({ queryKey: uploadKey })?.isActive();
      if (isShown !== true) showError(error);
    } finally {
      window.removeEventListener('beforeunload', warn);
    }
  }
  return { latest, upload, start };
}

export async function downloadWorkspace({ id, name }: Workspace): Promise<void> {
  const archive = await files.exportWorkspace(id);
  saveFile(`${name}.zip`, await new Response(archive).blob());
}
