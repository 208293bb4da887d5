import { Skeleton, Stack } from '@mantine/core';
import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import { Suspense, useEffect, useState, useSyncExternalStore } from 'react';
import { queryKeys } from '../../session/query-keys.ts';
import { lazyPart } from '../../ui/lazy-part.tsx';
import { Loaded } from '../../ui/page/loaded.tsx';
import { PageTitle } from '../../ui/page/page-title.tsx';
import { reload } from '../../ui/lists/use-list.ts';
import { useUser } from '../../session/user.ts';
import { useSignedInText } from '../../texts/signed-in-texts.tsx';
import { showRead, showSaved } from '../list/use-notes.ts';
import { openNote, type OpenNote } from '../saving/open-note.ts';
import { showTitle } from '../tree/level.ts';
import { useWorkspace } from '../workspaces/use-workspaces.ts';
import { NoteEditor } from './note-editor.tsx';
import { removeUnwritten } from './remove-unwritten.ts';

/** Most people may write the notes that they open. */
const NoteReader = lazyPart(async () => (await import('./note-reader.tsx')).NoteReader);

/** One note, which is saved while it is written. */
export function NotePage({ id }: { id: string }) {
  const { notes } = useSignedInText();
  const account = useUser();
  const opening = useQuery({
    queryKey: queryKeys.notes.open(account.id, id),
    queryFn: ({ signal }) => openNote(account.id, id, signal),
    // Opened anew each time: what another page has cached may be older than what was saved.
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    structuralSharing: false,
  });
  return (
    <>
      {opening.data === undefined && <PageTitle>{notes.editor.page}</PageTitle>}
      <Loaded query={opening} skeleton={<NoteSkeleton />}>
        {(note) => <Open key={id} note={note} />}
      </Loaded>
    </>
  );
}

function Open({ note }: { note: OpenNote }) {
  const queryClient = useQueryClient();
  const { untitled } = useSignedInText().notes.list;
  useEffect(
    () => () => {
      void note
        .close(() => removeUnwritten(note, untitled))
        .then((isRemoved) => showClosed(queryClient, note, isRemoved))
        .then(() => queryClient.invalidateQueries({ queryKey: queryKeys.notes.left }));
    },
    [note, queryClient, untitled],
  );
  const title = useSyncExternalStore(note.subscribe, () => note.stored().title);
  useEffect(() => {
    // A draft may be based on what is older than the tree.
    if (note.stored() !== note.opened) showTitle(queryClient, { ...note.stored(), title });
  }, [queryClient, note, title]);
  const mode = useMode(note);
  if (mode === null) return <NoteSkeleton />;
  if (mode === 'write') return <NoteEditor note={note} />;
  return (
    <Suspense fallback={<NoteSkeleton />}>
      <NoteReader note={note} />
    </Suspense>
  );
}

async function showClosed(
  queryClient: QueryClient,
  { opened, saver, stored }: OpenNote,
  isRemoved: boolean,
) {
  const note = stored();
  if (isRemoved || saver.getState().kind === 'deleted')
    await reload(queryClient, { queryKey: queryKeys.workspaces.all });
  else if (note.etag === opened.etag) showRead(queryClient, note);
  else {
    void reload(queryClient, { queryKey: queryKeys.history.all(note.id) });
    await showSaved(queryClient, note, opened.pinned);
  }
}

/**
 * Whether the note can be written, decided once: a role that changes meanwhile must not take the text out of
 * sight. What this device has kept of a note opens in the editor, with or without the service.
 */
function useMode(note: OpenNote): 'read' | 'write' | null {
  const { data: workspace, isLoading } = useWorkspace(note.opened.workspaceId);
  const [mode, setMode] = useState<'read' | 'write' | null>(() =>
    note.saver.getState().kind === 'saved' ? null : 'write',
  );
  if (mode === null && !isLoading) setMode(workspace?.role === 'viewer' ? 'read' : 'write');
  return mode;
}

function NoteSkeleton() {
  return (
    <Stack>
      <Skeleton h={36} w="50%" />
      <Skeleton h={36} />
      <Skeleton h={400} />
    </Stack>
  );
}
