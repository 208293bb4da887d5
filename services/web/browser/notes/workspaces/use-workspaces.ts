import type { Page, Workspace } from '@atrium/client';
import { type InfiniteData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useList } from '../../ui/lists/use-list.ts';
import { STALE_MS } from '../../ui/live.ts';
import { atrium } from '../../session/atrium.ts';
import { queryKeys } from '../../session/query-keys.ts';

const PAGE_SIZE = 100;

/** As many as a search looks at. */
const LOADED_MAX = 500;

/** All workspaces of the person, page after page: the notes of a list may be in any of them. */
export function useWorkspaces() {
  const list = useList(
    queryKeys.workspaces.list,
    (query, options) => atrium.notes.listWorkspaces({ ...query, limit: PAGE_SIZE }, options),
    { staysWhole: true },
  );
  const { data = [], error, isFetching, hasMore, loadMore } = list;
  useEffect(() => {
    if (hasMore && !isFetching && error === null && data.length < LOADED_MAX) loadMore();
  });
  return list;
}

export function useWorkspace(id: string) {
  const queryClient = useQueryClient();
  return useQuery({
    queryKey: queryKeys.workspaces.one(id),
    queryFn: ({ signal }) => atrium.notes.getWorkspace(id, { signal }),
    // The tree beside the page has just loaded it. An older role would decide wrongly how a note opens.
    placeholderData: () => {
      const listed = queryClient.getQueryState<InfiniteData<Page<Workspace>>>(
        queryKeys.workspaces.list,
      );
      if (listed?.data === undefined || Date.now() - listed.dataUpdatedAt > STALE_MS) return;
      const workspaces = listed.data.pages.flatMap(({ data }) => data);
      return workspaces.find((workspace) => workspace.id === id);
    },
  });
}

/** Whether the person may change the notes of a workspace; no as long as it is not known. */
export function useCanWrite(workspaceId: string): boolean {
  const { data } = useWorkspace(workspaceId);
  return data !== undefined && data.role !== 'viewer';
}
