import type { Tag } from '@atrium/client';
import { useQuery } from '@tanstack/react-query';
import { queryKeys } from '../../session/query-keys.ts';
import { useList } from '../../ui/lists/use-list.ts';
import { workspaces } from '../workspaces/workspaces.ts';

const PAGE_SIZE = 100;
/** More cannot be chosen from. */
const CHOICE_MAX = 1000;

/** The tags of a workspace, page after page. */
export function useTags(workspaceId: string) {
  return useList(queryKeys.workspaces.tags(workspaceId), (query, options) =>
    workspaces.listTags(workspaceId, { ...query, limit: PAGE_SIZE }, options),
  );
}

/** All tags of a workspace, to choose from. */
export function useAllTags(workspaceId: string, enabled = true) {
  return useQuery({
    enabled,
    queryKey: queryKeys.workspaces.allTags(workspaceId),
    queryFn: async ({ signal }) => {
      const tags: Tag[] = [];
      for await (const tag of workspaces.listTags(workspaceId, { limit: PAGE_SIZE }, { signal })) {
        tags.push(tag);
        if (tags.length === CHOICE_MAX) break;
      }
      return tags;
    },
  });
}
