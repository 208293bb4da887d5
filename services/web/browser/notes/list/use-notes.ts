import type { NoteSummary, Page } from '@atrium/client';
import { type InfiniteData, useQueryClient } from '@tanstack/react-query';
import { useErrorToast, useToast } from '../../frame/toasts.tsx';
import { useList } from '../../frame/use-list.ts';
import { atrium } from '../../session/atrium.ts';
import { useSignedInText } from '../../texts/signed-in-texts.tsx';
import { FAVOURITES_KEY } from '../favourites/use-favourites.ts';
import { WORKSPACES_KEY } from '../workspaces/use-workspaces.ts';
import { workspaces } from '../workspaces/workspaces.ts';
import { type Arrangement, toQuery } from './arrangement.ts';

type Pages = InfiniteData<Page<NoteSummary>>;

const PAGE_SIZE = 100;
const listKey = (workspaceId: string) => [...WORKSPACES_KEY, workspaceId, 'notes'];

export function useNotes(workspaceId: string, arrangement: Arrangement) {
  const given = { ...toQuery(arrangement), limit: PAGE_SIZE };
  return useList([...listKey(workspaceId), given], (query, options) =>
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
  /** Without the lists of notes, which show the change: a long one is loaded with many requests. */
  const refreshBeside = () =>
    queryClient.invalidateQueries({
      queryKey: WORKSPACES_KEY,
      predicate: ({ queryKey }) => queryKey[2] !== key[2],
    });

  /** In every order and under every filter in which the list has been seen. */
  async function changeLists(
    change: (notes: NoteSummary[]) => NoteSummary[],
    send: () => Promise<unknown>,
  ): Promise<boolean> {
    await queryClient.cancelQueries({ queryKey: key });
    const before = queryClient.getQueriesData<Pages>({ queryKey: key });
    queryClient.setQueriesData<Pages>({ queryKey: key }, (current) => {
      if (current === undefined) return current;
      return { ...current, pages: current.pages.map((p) => ({ ...p, data: change(p.data) })) };
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
    try {
      await atrium.notes.restoreNote(id);
      await refresh();
    } catch (error) {
      showError(error);
    }
  }

  return {
    pin: async ({ id }: NoteSummary, pinned: boolean) => {
      const isDone = await changeLists(replace(id, { pinned }), () =>
        atrium.notes.updateNote(id, { pinned }, { ifMatch: '*' }),
      );
      // Where an unpinned note belongs may be further down than the list is loaded.
      await (isDone && pinned ? refreshBeside() : refresh());
    },
    /** The list stays as it is, so that a slip can be corrected under a filter, too. */
    star: async (id: string, favourite: boolean): Promise<boolean> => {
      const { addFavourite, removeFavourite } = workspaces;
      const isDone = await changeLists(replace(id, { favourite }), () =>
        favourite ? addFavourite(id) : removeFavourite(id),
      );
      await queryClient.invalidateQueries({ queryKey: FAVOURITES_KEY });
      return isDone;
    },
    /** @returns whether it is deleted */
    remove: async ({ id, title }: Pick<NoteSummary, 'id' | 'title'>): Promise<boolean> => {
      const isDeleted = await changeLists(
        (notes) => notes.filter((other) => other.id !== id),
        () => atrium.notes.deleteNote(id),
      );
      if (isDeleted) toast(text.notes.list.deleted(title), { undo: () => void restore(id) });
      void (isDeleted ? refreshBeside() : refresh());
      return isDeleted;
    },
  };
}

function replace(id: string, changed: Partial<NoteSummary>) {
  return (notes: NoteSummary[]) =>
    notes.map((note) => (note.id === id ? { ...note, ...changed } : note));
}
