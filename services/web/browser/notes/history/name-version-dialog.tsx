import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { checksOf } from '../../forms/fields.tsx';
import { focusFirstError, FormError, showServiceError } from '../../forms/form-errors.tsx';
import { Dialog } from '../../frame/dialog.tsx';
import { useToast } from '../../frame/toasts.tsx';
import { useSignedInText } from '../../texts/signed-in-texts.tsx';
import { workspaces } from '../workspaces/workspaces.ts';
import { useRefreshHistory } from './use-history.ts';

const NAME_LENGTH_MAX = 100;

/** Names the note as it is, so that one finds it again. */
export function NameVersionDialog({ noteId, onClose }: { noteId: string; onClose: () => void }) {
  const text = useSignedInText();
  const { name: texts } = text.history;
  const toast = useToast();
  const refresh = useRefreshHistory(noteId);
  const [failure, setFailure] = useState<string | null>(null);
  const [isPending, setPending] = useState(false);
  const form = useForm({
    initialValues: { name: '' },
    validate: { name: checksOf(text).required(texts.label) },
  });
  const save = async ({ name }: { name: string }) => {
    setPending(true);
    setFailure(null);
    try {
      await workspaces.nameVersion(noteId, { name: name.trim() });
      await refresh();
      toast(texts.done(name.trim()));
      onClose();
    } catch (error) {
      setFailure(showServiceError(form, error, text));
      setPending(false);
    }
  };
  return (
    <Dialog title={texts.title} onClose={onClose}>
      <form
        noValidate
        onSubmit={form.onSubmit((values) => void save(values), focusFirstError(form))}
      >
        <Stack>
          <Text size="sm">{texts.explanation}</Text>
          <FormError message={failure} />
          <TextInput
            key={form.key('name')}
            {...form.getInputProps('name')}
            label={texts.label}
            maxLength={NAME_LENGTH_MAX}
            autoComplete="off"
            data-autofocus
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {text.proof.cancel}
            </Button>
            <Button type="submit" loading={isPending}>
              {texts.submit}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
