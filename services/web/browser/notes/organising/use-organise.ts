import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useErrorToast, useToast } from '../../ui/toasts/toasts.tsx';
import { reload } from '../../ui/lists/use-list.ts';
import { atrium } from '../../session/atrium.ts';
import { queryKeys } from '../../session/query-keys.ts';
import { useSignedInText } from '../../texts/signed-in-texts.tsx';
import type { OpenNote } from '../saving/open-note.ts';
import { saveNow } from '../saving/save-now.ts';
import { workspaces } from '../workspaces/workspaces.ts';
import { useMove, type WorkspaceName } from './use-move.ts';

/** Moves, copies and templates. Each says what it did, and a move can be undone. */
export function useOrganise({ id, saver, fields }: OpenNote) {
  const { title } = fields();
  const { organising: texts } = useSignedInText();
  const toast = useToast();
  const showError = useErrorToast();
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const refresh = () => reload(queryClient, { queryKey: queryKeys.workspaces.all });
  const move = useMove();

  /** The service copies what it has, not what is on the page. */
  const copyNote = async (target: Parameters<typeof workspaces.copyNote>[1]) => {
    await saveNow(saver, texts.notSaved);
    return workspaces.copyNote(id, target);
  };
  const removeTemplate = (templateId: string) => {
    atrium.notes.deleteNote(templateId).then(refresh).catch(showError);
  };

  return {
    /** Leaves the page of the note for its new workspace. */
    move: async (from: WorkspaceName, to: WorkspaceName) => {
      await saver.flush();
      await move({ id, title }, from, to);
      await navigate({ to: '/workspaces/$id', params: { id: to.id } });
      await refresh();
    },
    /** Opens the copy. */
    copy: async (to: WorkspaceName) => {
      const copied = await copyNote({ workspaceId: to.id });
      toast(texts.copied(to.name));
      await navigate({ to: '/notes/$id', params: { id: copied.id } });
      await refresh();
    },
    saveAsTemplate: async () => {
      try {
        const template = await copyNote({ isTemplate: true });
        toast(texts.savedAsTemplate(title), { undo: () => removeTemplate(template.id) });
        await refresh();
      } catch (error) {
        showError(error);
      }
    },
  };
}
