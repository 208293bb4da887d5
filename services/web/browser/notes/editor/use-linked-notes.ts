import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { queryKeys } from '../../session/query-keys.ts';
import type { OpenNote } from '../saving/open-note.ts';
import { workspaces } from '../workspaces/workspaces.ts';
import { useSavingState } from './saving-status.tsx';

/** The notes that the titles in the text mean: asked for once it is saved. */
export function useLinkedNotes(
  note: OpenNote,
  content: string,
): ReadonlyMap<string, string> | undefined {
  const { kind } = useSavingState(note.saver);
  const titles = content.match(/\[\[[^[\]\n]+\]\]/g)?.join('') ?? '';
  const { data } = useQuery({
    queryKey: queryKeys.workspaces.noteLinks(note.id, titles),
    queryFn: ({ signal }) => workspaces.listNoteLinks(note.id, { signal }),
    enabled: titles !== '' && kind === 'saved',
    placeholderData: keepPreviousData,
  });
  return useMemo(
    () => data && new Map(data.data.map(({ name, noteId }) => [name, noteId])),
    [data],
  );
}
