import type { Note, Page, TreeNote } from '@atrium/client';
import type { InfiniteData, QueryClient } from '@tanstack/react-query';
import { queryKeys } from '../../session/query-keys.ts';
import { rowsOf } from '../../ui/lists/rows-of.ts';
import { editRow, useList } from '../../ui/lists/use-list.ts';
import { workspaces } from '../workspaces/workspaces.ts';
import type { Place } from '../place.ts';

type Pages = InfiniteData<Page<TreeNote>>;

const PAGE_SIZE = 100;
export const PLACE_MUTATION = ['place-note'];

/** The children of a note, or the notes of a workspace that have no parent. */
export function useLevel(workspaceId: string, parentId: string | null) {
  return useList<TreeNote>(
    queryKeys.workspaces.treeLevel(workspaceId, parentId),
    (query, options) =>
      workspaces.listTree(
        workspaceId,
        { ...query, limit: PAGE_SIZE, ...(parentId !== null && { parentId }) },
        options,
      ),
  );
}

/** What has been loaded of a level. */
export function loadedLevel(
  queryClient: QueryClient,
  workspaceId: string,
  parentId: string | null,
): TreeNote[] {
  const key = queryKeys.workspaces.treeLevel(workspaceId, parentId);
  return rowsOf(queryClient.getQueryData<Pages>(key)?.pages ?? []);
}

/** Loads what others have changed, but not while a note is being placed: that loads the tree when it has been. */
export function refreshTree(queryClient: QueryClient, workspaceId: string): void {
  if (queryClient.isMutating({ mutationKey: PLACE_MUTATION }) > 0) return;
  void queryClient.invalidateQueries({ queryKey: queryKeys.workspaces.tree(workspaceId) });
}

/** Shows the title that was saved of a note, by its own page or by another person. */
export function showTitle(
  queryClient: QueryClient,
  { id, workspaceId, title }: Pick<Note, 'id' | 'workspaceId' | 'title'>,
): void {
  const filters = { queryKey: queryKeys.workspaces.tree(workspaceId) };
  editRow<TreeNote>(queryClient, filters, id, (row) => ({ ...row, title }));
}

/** Shows a note at another place, before the service has been asked. */
export function showPlaced(
  queryClient: QueryClient,
  workspaceId: string,
  note: TreeNote,
  { parentId, after }: Place,
): void {
  const filters = { queryKey: queryKeys.workspaces.tree(workspaceId) };
  const setHasChildren = (id: string | null, hasChildren: boolean) => {
    if (id === null) return;
    editRow<TreeNote>(queryClient, filters, id, (row) => ({ ...row, hasChildren }));
  };
  const parent = loadedParent(queryClient, workspaceId, parentId);
  const key = queryKeys.workspaces.treeLevel(workspaceId, parentId);
  // Nothing has to be loaded of what has nothing.
  if (parent?.hasChildren === false) {
    const empty = { data: [], nextCursor: null };
    queryClient.setQueryData<Pages>(key, { pages: [empty], pageParams: [undefined] });
  }
  editRow<TreeNote>(queryClient, filters, note.id, () => undefined);
  const isLeft = loadedLevel(queryClient, workspaceId, note.parentId).length > 0;
  setHasChildren(note.parentId, isLeft);
  setHasChildren(parentId, true);
  const placed = { ...note, parentId };
  queryClient.setQueryData<Pages>(key, (data) => {
    if (data === undefined) return undefined;
    const pages = data.pages.map((page, index) => {
      const at = indexIn(page, after, index === 0);
      return at < 0 ? page : { ...page, data: page.data.toSpliced(at, 0, placed) };
    });
    return { ...data, pages };
  });
}

/** Where in a page a note goes; -1 for another page. */
function indexIn(
  { data, nextCursor }: Page<TreeNote>,
  after: string | null | undefined,
  isFirst: boolean,
): number {
  if (after === undefined) return nextCursor === null ? data.length : -1;
  if (after === null) return isFirst ? 0 : -1;
  const index = data.findIndex(({ id }) => id === after);
  return index < 0 ? -1 : index + 1;
}

/** The row of a note that is a parent, in whichever level it has been loaded. */
export function loadedParent(
  queryClient: QueryClient,
  workspaceId: string,
  id: string | null,
): TreeNote | undefined {
  const queryKey = queryKeys.workspaces.tree(workspaceId);
  return queryClient
    .getQueriesData<Pages>({ queryKey })
    .flatMap(([, data]) => rowsOf(data?.pages ?? []))
    .find((row) => row.id === id);
}
