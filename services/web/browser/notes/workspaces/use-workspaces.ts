import { useQuery } from '@tanstack/react-query';
import { useList } from '../../ui/lists/use-list.ts';
import { atrium } from '../../session/atrium.ts';
import { queryKeys } from '../../session/query-keys.ts';

const PAGE_SIZE = 100;

export function useWorkspaces() {
  return useList(queryKeys.workspaces.list, (query, options) =>
    atrium.notes.listWorkspaces({ ...query, limit: PAGE_SIZE }, options),
  );
}

export function useWorkspace(id: string) {
  const { data: listed } = useWorkspaces();
  return useQuery({
    queryKey: queryKeys.workspaces.one(id),
    queryFn: ({ signal }) => atrium.notes.getWorkspace(id, { signal }),
    // The tree beside the page has loaded it before.
    placeholderData: () => listed?.find((workspace) => workspace.id === id),
  });
}

/** Whether the person may change the notes of a workspace; no as long as it is not known. */
export function useCanWrite(workspaceId: string): boolean {
  const { data } = useWorkspace(workspaceId);
  return data !== undefined && data.role !== 'viewer';
}
