import { Anchor } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { atrium } from '../../session/atrium.ts';
import { queryKeys } from '../../session/query-keys.ts';
import { reload } from '../../ui/lists/use-list.ts';
import { saveFile } from '../../ui/save-file.ts';
import { useErrorToast, useToast } from '../../ui/toasts/toasts.tsx';
import { useSignedInText } from '../../texts/signed-in-texts.tsx';
import { loadAttachment } from '../attachments/attached-images.ts';
import type { OpenNote } from '../saving/open-note.ts';
import { workspaces } from '../workspaces/workspaces.ts';
import type { LinkTarget } from './code-mirror/surface-context.ts';
import { noteIdOf } from '../note-path.ts';

/** Follows a link of a note: notes open here or can be created, files are saved, other sites open beside this one. */
export function useOpenLink(note: OpenNote): (target: LinkTarget) => void {
  const { missingNote, createNamed } = useSignedInText().notes.editor;
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const toast = useToast();
  const showError = useErrorToast();
  const openNote = (id: string) => navigate({ to: '/notes/$id', params: { id } });

  async function createNote(title: string): Promise<void> {
    const { id } = await atrium.notes.createNote(note.stored().workspaceId, { title });
    void reload(queryClient, { queryKey: queryKeys.workspaces.all });
    await openNote(id);
  }

  function offerNote(title: string): void {
    const create = () => {
      remove();
      createNote(title).catch(showError);
    };
    const remove = toast(
      <>
        {missingNote}{' '}
        <Anchor component="button" inherit ta="start" underline="always" onClick={create}>
          {createNamed(title)}
        </Anchor>
      </>,
    );
  }

  async function openTitle(title: string): Promise<void> {
    // The service knows the titles of what is saved.
    await note.saver.flush();
    const { data } = await workspaces.listNoteLinks(note.id);
    const id = data.find(({ name }) => name === title.toLowerCase())?.noteId;
    if (id === undefined) offerNote(title);
    else await openNote(id);
  }

  async function open(target: LinkTarget): Promise<void> {
    if (target.kind === 'title') return openTitle(target.title);
    if (target.kind === 'attachment') return saveFile(target.name, await loadAttachment(target.id));
    const id = noteIdOf(target.href);
    if (id === undefined) window.open(target.href, '_blank', 'noopener,noreferrer');
    else await openNote(id);
  }

  return (target) => void open(target).catch(showError);
}
