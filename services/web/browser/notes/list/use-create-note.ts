import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useLocation, useNavigate } from '@tanstack/react-router';
import { useErrorToast } from '../../ui/toasts/toasts.tsx';
import { reload } from '../../ui/lists/use-list.ts';
import { atrium } from '../../session/atrium.ts';
import { queryKeys } from '../../session/query-keys.ts';
import { useSignedInText } from '../../texts/signed-in-texts.tsx';
import { noteIdOf } from '../note-path.ts';
import { awaitTitle, takeTitle } from './title-typed-ahead.ts';

const createdIds = new Set<string>();

/** A new note has a title, because every note has one; what is typed before its page has come replaces it. */
export async function createNoteIn(
  workspaceId: string | Promise<string>,
  title: string,
  parentId?: string,
) {
  awaitTitle();
  try {
    const note = await atrium.notes.createNote(await workspaceId, {
      title,
      ...(parentId !== undefined && { parentId }),
    });
    createdIds.add(note.id);
    return note;
  } catch (error) {
    takeTitle();
    throw error;
  }
}

/** Whether this page has made the note since it was loaded. */
export const wasCreatedHere = (id: string): boolean => createdIds.has(id);

/** Makes a note in the workspace that is named by its id, or found when it is needed, and opens it. */
export function useCreateNote() {
  const text = useSignedInText();
  return useOpenNew(async (findWorkspaceId: () => string | Promise<string>) =>
    createNoteIn(findWorkspaceId(), text.notes.list.untitled),
  );
}

function useOpenNew<Input = void>(mutationFn: (input: Input) => Promise<{ id: string }>) {
  const showError = useErrorToast();
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn,
    onSuccess: async ({ id }) => {
      void reload(queryClient, { queryKey: queryKeys.workspaces.all });
      await navigate({ to: '/notes/$id', params: { id } });
    },
    onError: showError,
  });
}

/** More than most people have. */
const WORKSPACES_MAX = 100;

/**
 * Finds the workspace whose page this is or whose note is open, or the first one that the person may write in. Whoever may write in
 * none gets one of their own.
 */
function useFindWorkspace(): () => Promise<string> {
  const { home } = useSignedInText();
  const { pathname } = useLocation();
  return async () => {
    const noteId = noteIdOf(pathname);
    const [{ data }, openNote] = await Promise.all([
      atrium.notes.listWorkspaces({ limit: WORKSPACES_MAX }),
      // It may have been moved since it was opened, or be gone.
      noteId === undefined ? undefined : atrium.notes.getNote(noteId).catch(() => undefined),
    ]);
    const writable = data.filter(({ role }) => role !== 'viewer');
    const here = writable.find(
      ({ id }) => id === openNote?.workspaceId || pathname.startsWith(`/workspaces/${id}`),
    );
    const found = here ?? writable[0];
    return (found ?? (await atrium.notes.createWorkspace({ name: home.notes.firstWorkspace }))).id;
  };
}

/** Makes a note where one would look for it, and opens it. */
export function useCreateNoteHere() {
  const findWorkspace = useFindWorkspace();
  const create = useCreateNote();
  return { create: () => create.mutate(findWorkspace), isPending: create.isPending };
}

/** Makes the note that shows what notes can do, and opens it. */
export function useCreateWelcomeNote() {
  const { welcomeNote } = useSignedInText().home;
  const findWorkspace = useFindWorkspace();
  const open = useOpenNew(async () => atrium.notes.createNote(await findWorkspace(), welcomeNote));
  return { create: () => open.mutate(), isPending: open.isPending };
}
