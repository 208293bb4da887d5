import type { Workspace } from '@atrium/client';
import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { focusFirstError, FormError } from '../../forms/form-errors.tsx';
import { Dialog } from '../../frame/dialog.tsx';
import { errorText } from '../../frame/error-text.ts';
import { atrium } from '../../session/atrium.ts';
import { useSignedInText } from '../../texts/signed-in-texts.tsx';

/** Asks for the name of a workspace before it is deleted with its notes. */
export function DeleteWorkspaceDialog({
  workspace: { id, name, noteCount },
  onDeleted,
  onClose,
}: {
  workspace: Workspace;
  onDeleted: () => void;
  onClose: () => void;
}) {
  const text = useSignedInText();
  const { workspaces: texts } = text.notes;
  const [failure, setFailure] = useState<string | null>(null);
  const [isPending, setPending] = useState(false);
  const form = useForm({
    initialValues: { name: '' },
    validate: { name: (typed) => (typed.trim() === name.trim() ? null : texts.deleteMismatch) },
  });
  const remove = async () => {
    setPending(true);
    setFailure(null);
    try {
      await atrium.notes.deleteWorkspace(id);
      onClose();
      onDeleted();
    } catch (error) {
      setFailure(errorText(error, text));
      setPending(false);
    }
  };
  return (
    <Dialog title={texts.deleteTitle(name)} onClose={onClose}>
      <form noValidate onSubmit={form.onSubmit(() => void remove(), focusFirstError(form))}>
        <Stack>
          <Text size="sm">{texts.deleteExplanation(noteCount)}</Text>
          <FormError message={failure} />
          <TextInput
            key={form.key('name')}
            {...form.getInputProps('name')}
            label={texts.deleteConfirm(name)}
            autoComplete="off"
            spellCheck={false}
            data-autofocus
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {text.proof.cancel}
            </Button>
            <Button type="submit" color="red" loading={isPending}>
              {texts.deleteSubmit}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
