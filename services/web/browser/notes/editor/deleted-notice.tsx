import { Alert, Button, Group, Stack } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { AtriumError } from '@atrium/client';
import { useEffect } from 'react';
import { CopyButton } from '../../ui/controls/copy-button.tsx';
import { useErrorToast } from '../../ui/toasts/toasts.tsx';
import { atrium } from '../../session/atrium.ts';
import { useSignedInText } from '../../texts/signed-in-texts.tsx';
import type { OpenNote } from '../saving/open-note.ts';
import { DiscardButton } from './discard-button.tsx';
import { useWorkspace } from '../workspaces/use-workspaces.ts';

/** Says that a note is gone, whose text is still here. */
export function DeletedNotice({ note }: { note: OpenNote }) {
  const text = useSignedInText();
  const { saving } = text.notes;
  const showError = useErrorToast();
  const navigate = useNavigate();
  const { workspaceId } = note.opened;
  const { refetch, error } = useWorkspace(workspaceId);
  useEffect(() => void refetch(), [refetch]);
  const isRemoved = error instanceof AtriumError && error.status === 404;
  const discard = async () => {
    await note.saver.discard();
    await (isRemoved
      ? navigate({ to: '/notes' })
      : navigate({ to: '/workspaces/$id', params: { id: workspaceId } }));
  };
  const saveAsNew = useMutation({
    mutationFn: () => {
      const { title, ...fields } = note.fields();
      return atrium.notes.createNote(workspaceId, {
        ...fields,
        title: title.trim() === '' ? text.notes.list.untitled : title,
        content: note.content(),
      });
    },
    onSuccess: async ({ id }) => {
      // The new note has the text, also where the draft stays.
      await Promise.allSettled([note.saver.discard()]);
      await navigate({ to: '/notes/$id', params: { id } });
    },
    onError: showError,
  });
  const title = isRemoved ? text.presence.removedTitle : saving.deletedTitle;
  return (
    <Alert color="red" variant="light" title={title} role="alert">
      <Stack gap="sm">
        {note.keepsDrafts && saving.keptExplanation}
        <Group gap="xs">
          {!isRemoved && (
            <Button size="xs" loading={saveAsNew.isPending} onClick={() => saveAsNew.mutate()}>
              {saving.saveAsNew}
            </Button>
          )}
          <CopyButton value={note.content} label={saving.copyText} />
          <DiscardButton onDiscard={discard} />
        </Group>
      </Stack>
    </Alert>
  );
}
