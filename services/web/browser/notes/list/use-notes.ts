import type { NoteSummary, Page } from '@atrium/client';
import { type InfiniteData, useQueryClient } from '@tanstack/react-query';
import { errorText } from '../../frame/error-text.ts';
import { useToast } from '../../frame/toasts.tsx';
import { useList } from '../../frame/use-list.ts';
import { atrium } from '../../session/atrium.ts';
import { useSignedInText } from '../../texts/signed-in-texts.tsx';
import { WORKSPACES_KEY } from '../workspaces/use-workspaces.ts';

type Pages = InfiniteData<Page<NoteSummary>>;

const PAGE_SIZE = 100;
const listKey = (workspaceId: string) => [...WORKSPACES_KEY, workspaceId, 'notes'];

export function useNotes(workspaceId: string) {
  return useList(listKey(workspaceId), (query, options) =>
    atrium.notes.listNotes(workspaceId, { ...query, limit: PAGE_SIZE }, options),
  );
}

/** Changes that show in the list at once, and are taken back when the service refuses them. */
export function useNoteActions(workspaceId: string) {
  const text = useSignedInText();
  const toast = useToast();
  const queryClient = useQueryClient();
  const key = listKey(workspaceId);

  // With the workspace and its count, and the list of workspaces.
  const refresh = () => queryClient.invalidateQueries({ queryKey: WORKSPACES_KEY });

  async function changeList(
    change: (notes: NoteSummary[]) => NoteSummary[],
    send: () => Promise<unknown>,
  ): Promise<boolean> {
    await queryClient.cancelQueries({ queryKey: key });
    const before = queryClient.getQueryData<Pages>(key);
    queryClient.setQueryData<Pages>(key, (current) => {
      if (current === undefined) return current;
      return { ...current, pages: current.pages.map((p) => ({ ...p, data: change(p.data) })) };
    });
    try {
      await send();
      return true;
    } catch (error) {
      queryClient.setQueryData(key, before);
      toast(errorText(error, text), { kind: 'error' });
      return false;
    } finally {
      void refresh();
    }
  }

  async function restore(id: string): Promise<void> {
    try {
      await atrium.notes.restoreNote(id);
      await refresh();
    } catch (error) {
      toast(errorText(error, text), { kind: 'error' });
    }
  }

  return {
    pin: (note: NoteSummary, pinned: boolean) =>
      changeList(
        (notes) => notes.map((other) => (other.id === note.id ? { ...other, pinned } : other)),
        () => atrium.notes.updateNote(note.id, { pinned }, { ifMatch: '*' }),
      ),
    /** @returns whether it is deleted */
    remove: async ({ id, title }: Pick<NoteSummary, 'id' | 'title'>): Promise<boolean> => {
      const isDeleted = await changeList(
        (notes) => notes.filter((other) => other.id !== id),
        () => atrium.notes.deleteNote(id),
      );
      if (isDeleted) toast(text.notes.list.deleted(title), { undo: () => void restore(id) });
      return isDeleted;
    },
  };
}
