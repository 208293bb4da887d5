import { useAuth } from '@atrium/client/react';
import { Anchor, Stack } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { queryKeys } from '../../session/query-keys.ts';
import { useUser } from '../../session/user.ts';
import { useSignedInText } from '../../texts/signed-in-texts.tsx';
import { reload } from '../../ui/lists/use-list.ts';
import { useToast } from '../../ui/toasts/toasts.tsx';
import { noteIdOf } from '../note-path.ts';
import { leftDrafts } from './drafts.ts';

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
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const [named] = useState(() => new Set<string>());

  /** Names all in one message: of several, the first would be pushed out by the others. */
  function name(unsaved: ReadonlyMap<string, string>): void {
    const rows = [...unsaved].map(([id, message]) => {
      named.add(id);
      const open = () => void navigate({ to: '/notes/$id', params: { id } });
      return (
        <Anchor key={id} component="button" inherit ta="start" underline="always" onClick={open}>
          {message}
        </Anchor>
      );
    });
    toast(<Stack gap="xs">{rows}</Stack>, { kind: 'error' });
  }

  /** @returns what to say of a note that cannot be saved */
  async function saveOne(id: string): Promise<string | null> {
    const { saveLeft } = await import('./open-note.ts');
    const left = await saveLeft(accountId, id);
    if (left === null) return null;
    const { title, state } = left;
    const shown = title.trim() === '' ? list.untitled : title;
    if (state !== 'saved') return saving[state === 'deleted' ? 'leftGone' : 'left'](shown);
    await reload(queryClient, { queryKey: queryKeys.workspaces.all });
    return null;
  }

  useQuery({
    queryKey: queryKeys.notes.left,
    queryFn: async ({ signal }) => {
      const ids = await leftDrafts(accountId);
      for (const id of named) if (!ids.includes(id)) named.delete(id);
      const unsaved = new Map<string, string>();
      for (const id of ids) {
        // Another run has begun.
        if (signal.aborted) break;
        if (noteIdOf(location.pathname) === id) continue;
        // A draft that this browser cannot read is no reason to leave the others.
        const message = await saveOne(id).catch(() => null);
        if (message !== null && !named.has(id)) unsaved.set(id, message);
      }
      if (unsaved.size > 0) name(unsaved);
      return null;
    },
    enabled: user !== null,
    refetchInterval: INTERVAL_MS,
    staleTime: 0,
  });
}
