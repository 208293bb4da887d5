import { useAuth } from '@atrium/client/react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { queryKeys } from '../../session/query-keys.ts';
import { useUser } from '../../session/user.ts';
import { useSignedInText } from '../../texts/signed-in-texts.tsx';
import { reload } from '../../ui/lists/use-list.ts';
import { useToast } from '../../ui/toasts/toasts.tsx';
import { leftDrafts } from '../saving/drafts.ts';
import { noteIdOf } from './note-path.ts';

const INTERVAL_MS = 60_000;

/**
 * Saves the drafts that pages have left on this device, and names each note for which that fails. An open note
 * is left to its page.
 */
export function useLeftDrafts(): void {
  const { list, saving } = useSignedInText().notes;
  const { id: accountId } = useUser();
  const { user } = useAuth();
  const toast = useToast();
  const queryClient = useQueryClient();
  const [named] = useState(() => new Set<string>());
  useQuery({
    queryKey: queryKeys.notes.left,
    queryFn: async () => {
      const ids = await leftDrafts(accountId);
      for (const id of named) if (!ids.includes(id)) named.delete(id);
      for (const id of ids) {
        if (noteIdOf(location.pathname) === id) continue;
        const { saveLeft } = await import('../saving/open-note.ts');
        const { title, isSaved } = await saveLeft(accountId, id);
        if (isSaved) await reload(queryClient, { queryKey: queryKeys.workspaces.all });
        else if (!named.has(id)) {
          named.add(id);
          toast(saving.left(title.trim() === '' ? list.untitled : title), { kind: 'error' });
        }
      }
      return null;
    },
    enabled: user !== null,
    refetchInterval: INTERVAL_MS,
    staleTime: 0,
  });
}
