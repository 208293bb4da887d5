import type { Note, NoteListQuery, NoteSummary, Page, TreeNote } from '@atrium/client';
import {
  type InfiniteData,
  type Query,
  type QueryClient,
  useQueryClient,
} from '@tanstack/react-query';
import { useErrorToast, useToast } from '../../ui/toasts/toasts.tsx';
import { rowsOf } from '../../ui/lists/rows-of.ts';
import { editRow, reload, useList } from '../../ui/lists/use-list.ts';
import { atrium } from '../../session/atrium.ts';
import { queryKeys } from '../../session/query-keys.ts';
import { useSignedInText } from '../../texts/signed-in-texts.tsx';
import { workspaces } from '../workspaces/workspaces.ts';
import { type Arrangement, toQuery } from './arrangement.ts';

/** A deleted one stays in the lists, where it comes back to when that is undone. */
export type ListedNote = NoteSummary & { isDeleted?: boolean };
type Pages = InfiniteData<Page<ListedNote>>;

const PAGE_SIZE = 100;

export function useNotes(workspaceId: string, arrangement: Arrangement) {
  const given = { ...toQuery(arrangement), limit: PAGE_SIZE };
  return useList<ListedNote>(queryKeys.workspaces.notes(workspaceId, given), (query, options) =>
    atrium.notes.listNotes(workspaceId, { ...given, ...query }, options),
  );
}

/** Changes that show in the list at once, and are taken back when the service refuses them. */
export function useNoteActions() {
  const text = useSignedInText();
  const toast = useToast();
  const showError = useErrorToast();
  const queryClient = useQueryClient();

  // With the workspace and its count, and the list of workspaces.
  const refresh = () => reload(queryClient, { queryKey: queryKeys.workspaces.all });

  /** @returns whether the service has accepted it */
  async function toggle(
    ids: readonly string[],
    name: 'pinned' | 'favourite' | 'isDeleted',
    value: boolean,
    send: () => Promise<unknown>,
  ): Promise<boolean> {
    const show = (shown: boolean) => {
      for (const id of ids) changeRow(queryClient, id, { [name]: shown });
    };
    show(value);
    try {
      await send();
      return true;
    } catch (error) {
      show(!value);
      showError(error);
      return false;
    }
  }

  async function restore(id: string, branch: readonly string[]): Promise<void> {
    await toggle(branch, 'isDeleted', false, () => atrium.notes.restoreNote(id));
    await reloadBeside(queryClient, id);
  }

  return {
    pin: async ({ id }: NoteSummary, pinned: boolean) => {
      const isDone = await toggle([id], 'pinned', pinned, () =>
        atrium.notes.updateNote(id, { pinned }, { ifMatch: '*' }),
      );
      if (isDone && pinned) return reloadBeside(queryClient, id);
      // Where it belongs now may be far from the pinned notes, which the list begins with.
      return refresh();
    },
    /** The list stays as it is, so that a slip can be corrected under a filter, too. */
    star: async (id: string, favourite: boolean): Promise<boolean> => {
      const { addFavourite, removeFavourite } = workspaces;
      const isDone = await toggle([id], 'favourite', favourite, () =>
        favourite ? addFavourite(id) : removeFavourite(id),
      );
      await reload(queryClient, {
        queryKey: queryKeys.workspaces.all,
        predicate: (query) => listsFavourites(query) && !hasNote(id)(query),
      });
      return isDone;
    },
    /**
     * With it goes what is below it.
     *
     * @returns whether it is deleted
     */
    remove: async ({ id, title }: Pick<NoteSummary, 'id' | 'title'>): Promise<boolean> => {
      const { branch, hasBelow } = loadedBranch(queryClient, id);
      const isDeleted = await toggle(branch, 'isDeleted', true, () => atrium.notes.deleteNote(id));
      const { deleted, deletedWithBelow } = text.notes.list;
      const message = hasBelow ? deletedWithBelow(title) : deleted(title);
      if (isDeleted) toast(message, { undo: () => void restore(id, branch) });
      void (isDeleted ? reloadBeside(queryClient, id) : refresh());
      return isDeleted;
    },
  };
}

/** A note and all below it, of what lists and the tree have loaded. */
function loadedBranch(queryClient: QueryClient, id: string) {
  const loaded = queryClient
    .getQueriesData<InfiniteData<Page<ListedNote | TreeNote>>>({
      queryKey: queryKeys.workspaces.all,
      predicate: ({ queryKey }) => queryKey[2] === 'notes' || queryKey[2] === 'tree',
    })
    .flatMap(([, data]) => rowsOf(data?.pages ?? []));
  // What was deleted before on its own does not come back with it.
  const rows = loaded.filter((row) => !('isDeleted' in row && row.isDeleted === true));
  const children = Map.groupBy(rows, ({ parentId }) => parentId);
  const branch = new Set([id]);
  // It grows while it is gone through.
  for (const each of branch) for (const child of children.get(each) ?? []) branch.add(child.id);
  const isParent = rows.some((row) => row.id === id && 'hasChildren' in row && row.hasChildren);
  return { branch: [...branch], hasBelow: isParent || branch.size > 1 };
}

/** In every order and under every filter in which it has been seen, or is being loaded. */
function changeRow(queryClient: QueryClient, id: string, changed: Partial<ListedNote>): void {
  const filters = {
    queryKey: queryKeys.workspaces.all,
    predicate: (query: Query) => hasNote(id)(query) || query.state.fetchStatus !== 'idle',
  };
  editRow<ListedNote>(queryClient, filters, id, (note) => ({ ...note, ...changed }));
}

/**
 * After a change of a note: loads again what may show it, without the lists that have its row and show the
 * change already, because a long one takes many requests.
 */
function reloadBeside(
  queryClient: QueryClient,
  id: string,
  isInPlace: (list: NoteListQuery) => boolean = () => true,
): Promise<void> {
  const showsChange = hasNote(id);
  return reload(queryClient, {
    queryKey: queryKeys.workspaces.all,
    predicate: (query) => !showsChange(query) || !isInPlace(query.queryKey[3] as NoteListQuery),
  });
}

/**
 * Shows in lists what has changed of a note.
 *
 * @param isInPlace whether its row can stay where it is; other lists are loaded again
 */
export function showChange(
  queryClient: QueryClient,
  id: string,
  changed: Partial<ListedNote>,
  isInPlace: (list: NoteListQuery) => boolean,
): Promise<void> {
  changeRow(queryClient, id, changed);
  return reloadBeside(queryClient, id, isInPlace);
}

/** Shows in lists what was read of a note, which another member may have changed. */
export function showRead(queryClient: QueryClient, note: Note): void {
  editRow<ListedNote>(queryClient, { predicate: hasNote(note.id) }, note.id, (row) =>
    // What was read without the network may be older.
    row.updatedAt > note.updatedAt ? row : { ...row, ...fieldsOf(note) },
  );
}

function fieldsOf({ title, tags, pinned, updatedAt }: Note): Partial<ListedNote> {
  return { title, tags, pinned, updatedAt };
}

/** Shows in lists what was saved of a note. */
export function showSaved(queryClient: QueryClient, note: Note, wasPinned: boolean): Promise<void> {
  return showChange(
    queryClient,
    note.id,
    fieldsOf(note),
    (list) => keepsPlace(list) && list.tags === undefined && note.pinned === wasPinned,
  );
}

/** A note that was just saved is the first in the order of changes, where `arrange` puts it. */
function keepsPlace({ sort, order }: NoteListQuery): boolean {
  return sort === 'created' || (sort === 'updated' && order !== 'asc');
}

function hasNote(id: string) {
  return ({ queryKey, state }: Query): boolean =>
    queryKey[2] === 'notes' &&
    ((state.data as Pages | undefined)?.pages.some(({ data }) =>
      data.some((note) => note.id === id),
    ) ??
      false);
}

function listsFavourites({ queryKey }: Query): boolean {
  const [, area, , list] = queryKey;
  return area === 'favourites' || (list as NoteListQuery | undefined)?.favourite === true;
}
