import type { Note, VersionSummary } from '@atrium/client';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useErrorToast, useToast } from '../../ui/toasts/toasts.tsx';
import { reload, useList } from '../../ui/lists/use-list.ts';
import { atrium } from '../../session/atrium.ts';
import { queryKeys } from '../../session/query-keys.ts';
import { useSignedInText } from '../../texts/signed-in-texts.tsx';
import { showSaved } from '../list/use-notes.ts';
import { workspaces } from '../workspaces/workspaces.ts';

const PAGE_SIZE = 50;

export function useNote(id: string) {
  return useQuery({
    queryKey: queryKeys.history.note(id),
    queryFn: ({ signal }) => atrium.notes.getNote(id, { signal }),
  });
}

/** Newest first; the first one is the note as it is. */
export function useVersions(noteId: string) {
  return useList<VersionSummary>(queryKeys.history.versions(noteId), (query, options) =>
    workspaces.listVersions(noteId, { ...query, limit: PAGE_SIZE }, options),
  );
}

export function useComparison(noteId: string, from: VersionSummary, to: VersionSummary) {
  return useQuery({
    queryKey: queryKeys.history.comparison(noteId, from.id, to.id),
    queryFn: ({ signal }) => workspaces.compareVersions(noteId, from.id, { to: to.id }, { signal }),
  });
}

export function useRefreshHistory(noteId: string): () => Promise<void> {
  const queryClient = useQueryClient();
  return () => reload(queryClient, { queryKey: queryKeys.history.all(noteId) });
}

/**
 * Gives a note the text of a version; "Undo" gives it back the one that it had. A note that has changed since
 * its history was shown keeps its text, which would be overwritten unseen: its history is shown anew.
 */
export function useRestoreVersion(noteId: string) {
  const text = useSignedInText();
  const toast = useToast();
  const showError = useErrorToast();
  const queryClient = useQueryClient();
  const refresh = useRefreshHistory(noteId);
  /** @returns whether the version is restored */
  return async (version: VersionSummary, former: VersionSummary): Promise<boolean> => {
    const restore = async (id: string, etag: string): Promise<Note & { etag: string }> => {
      const note = await workspaces.restoreVersion(noteId, id, { ifMatch: etag });
      void showSaved(queryClient, note, note.pinned);
      await refresh();
      return note;
    };
    try {
      const { etag } = await atrium.notes.getNote(noteId);
      // After the entity tag: what comes between the two is refused with it.
      const { data: newest } = await workspaces.listVersions(noteId, { limit: 1 });
      if (newest[0]?.id !== former.id) {
        await refresh();
        toast(text.history.changedSince, { kind: 'error' });
        return false;
      }
      const restored = await restore(version.id, etag);
      toast(text.history.restored, {
        undo: () => void restore(former.id, restored.etag).catch(showError),
      });
      return true;
    } catch (error) {
      showError(error);
      return false;
    }
  };
}
