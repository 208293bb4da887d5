import { Alert, Button, Group, Stack } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { CopyButton } from '../../frame/copy-button.tsx';
import { errorText } from '../../frame/error-text.ts';
import { useToast } from '../../frame/toasts.tsx';
import { atrium } from '../../session/atrium.ts';
import { useSignedInText } from '../../texts/signed-in-texts.tsx';
import type { OpenNote } from '../saving/open-note.ts';
import { useSavingState } from './saving-status.tsx';

/** Says that a note is gone, whose text is still here. */
export function DeletedNotice({ note }: { note: OpenNote }) {
  const text = useSignedInText();
  const { saving } = text.notes;
  const toast = useToast();
  const navigate = useNavigate();
  const { kind } = useSavingState(note.saver);
  const { workspaceId } = note.opened;
  const leave = async (to: { noteId?: string }) => {
    await note.saver.discard();
    await (to.noteId === undefined
      ? navigate({ to: '/workspaces/$id', params: { id: workspaceId } })
      : navigate({ to: '/notes/$id', params: { id: to.noteId } }));
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
    onSuccess: ({ id }) => leave({ noteId: id }),
    onError: (error) => toast(errorText(error, text), { kind: 'error' }),
  });
  if (kind !== 'deleted') return null;
  return (
    <Alert color="red" variant="light" title={saving.deletedTitle} role="alert">
      <Stack gap="sm">
        {saving.deletedExplanation}
        <Group gap="xs">
          <Button size="xs" loading={saveAsNew.isPending} onClick={() => saveAsNew.mutate()}>
            {saving.saveAsNew}
          </Button>
          <CopyButton value={note.content()} label={saving.copyText} />
          <Button
            size="xs"
            variant="default"
            onClick={() => void leave({}).then(() => toast(saving.discarded))}
          >
            {saving.discard}
          </Button>
        </Group>
      </Stack>
    </Alert>
  );
}
