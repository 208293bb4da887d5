import type { NoteSummary, Page } from '@atrium/client';
import { type InfiniteData, useQueryClient } from '@tanstack/react-query';
import { useErrorToast, useToast } from '../../frame/toasts/toasts.tsx';
import { firstPage, useList } from '../../frame/lists/use-list.ts';
import { atrium } from '../../session/atrium.ts';
import { useSignedInText } from '../../texts/signed-in-texts.tsx';
import { FAVOURITES_KEY } from '../favourites/use-favourites.ts';
import { WORKSPACES_KEY } from '../workspaces/use-workspaces.ts';
import { workspaces } from '../workspaces/workspaces.ts';
import { type Arrangement, toQuery } from './arrangement.ts';

/** A deleted one stays in the lists, where it comes back to when that is undone. */
export type ListedNote = NoteSummary & { isDeleted?: boolean };
type Pages = InfiniteData<Page<ListedNote>>;

const PAGE_SIZE = 100;
export const listKey = (workspaceId: string) => [...WORKSPACES_KEY, workspaceId, 'notes'];

export function useNotes(workspaceId: string, arrangement: Arrangement) {
  const given = { ...toQuery(arrangement), limit: PAGE_SIZE };
  return useList<ListedNote>([...listKey(workspaceId), given], (query, options) =>
    atrium.notes.listNotes(workspaceId, { ...given, ...query }, options),
  );
}

/** Changes that show in the list at once, and are taken back when the service refuses them. */
export function useNoteActions(workspaceId: string) {
  const text = useSignedInText();
  const toast = useToast();
  const showError = useErrorToast();
  const queryClient = useQueryClient();
  const key = listKey(workspaceId);

  // With the workspace and its count, and the list of workspaces.
  const refresh = () => queryClient.invalidateQueries({ queryKey: WORKSPACES_KEY });
  /** Without the lists that have the note and show its change: a long one is loaded with many requests. */
  const refreshBeside = (id: string) =>
    queryClient.invalidateQueries({
      queryKey: WORKSPACES_KEY,
      predicate: ({ queryKey, state }) =>
        queryKey[2] !== key[2] || !hasNote(state.data as Pages | undefined, id),
    });

  /** In every order and under every filter in which the list has been seen. */
  async function changeLists(
    id: string,
    changed: Partial<ListedNote>,
    send: () => Promise<unknown>,
  ): Promise<boolean> {
    await queryClient.cancelQueries({ queryKey: key });
    const before = queryClient.getQueriesData<Pages>({ queryKey: key });
    queryClient.setQueriesData<Pages>({ queryKey: key }, (current) => {
      if (current === undefined) return current;
      const pages = current.pages.map((page) => ({
        ...page,
        data: page.data.map((note) => (note.id === id ? { ...note, ...changed } : note)),
      }));
      return { ...current, pages };
    });
    try {
      await send();
      return true;
    } catch (error) {
      for (const [each, data] of before) queryClient.setQueryData(each, data);
      showError(error);
      return false;
    }
  }

  async function restore(id: string): Promise<void> {
    await changeLists(id, { isDeleted: false }, () => atrium.notes.restoreNote(id));
    await refreshBeside(id);
  }

  return {
    pin: async ({ id }: NoteSummary, pinned: boolean) => {
      const isDone = await changeLists(id, { pinned }, () =>
        atrium.notes.updateNote(id, { pinned }, { ifMatch: '*' }),
      );
      if (isDone && pinned) return refreshBeside(id);
      // Where it belongs now may be far from the pinned notes, which the list begins with.
      queryClient.setQueriesData({ queryKey: key }, firstPage<ListedNote>);
      return refresh();
    },
    /** The list stays as it is, so that a slip can be corrected under a filter, too. */
    star: async (id: string, favourite: boolean): Promise<boolean> => {
      const { addFavourite, removeFavourite } = workspaces;
      const isDone = await changeLists(id, { favourite }, () =>
        favourite ? addFavourite(id) : removeFavourite(id),
      );
      await queryClient.invalidateQueries({ queryKey: FAVOURITES_KEY });
      return isDone;
    },
    /** @returns whether it is deleted */
    remove: async ({ id, title }: Pick<NoteSummary, 'id' | 'title'>): Promise<boolean> => {
      const isDeleted = await changeLists(id, { isDeleted: true }, () =>
        atrium.notes.deleteNote(id),
      );
      if (isDeleted) toast(text.notes.list.deleted(title), { undo: () => void restore(id) });
      void (isDeleted ? refreshBeside(id) : refresh());
      return isDeleted;
    },
  };
}

function hasNote(list: Pages | undefined, id: string): boolean {
  return list?.pages.some(({ data }) => data.some((note) => note.id === id)) ?? false;
}
