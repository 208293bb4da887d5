import { AtriumError, type Tag } from '@atrium/client';
import { Button, Group, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { checksOf } from '../../forms/fields.tsx';
import { focusFirstError, FormError, showServiceError } from '../../forms/form-errors.tsx';
import { ConfirmDialog } from '../../frame/confirm-dialog.tsx';
import { Dialog } from '../../frame/dialog.tsx';
import { errorText } from '../../frame/error-text.ts';
import { useToast } from '../../frame/toasts.tsx';
import { useSignedInText } from '../../texts/signed-in-texts.tsx';
import { useTagActions } from './use-tag-actions.ts';

const NAME_LENGTH_MAX = 50;

/** Asks for another name and, when a tag has it already, whether the two are to be one. */
export function RenameTagDialog({
  workspaceId,
  tag: { name: tag },
  onClose,
}: {
  workspaceId: string;
  tag: Tag;
  onClose: () => void;
}) {
  const text = useSignedInText();
  const { tags: texts } = text.listing;
  const toast = useToast();
  const { rename } = useTagActions(workspaceId);
  const [failure, setFailure] = useState<string | null>(null);
  const [isPending, setPending] = useState(false);
  const [taken, setTaken] = useState<string | null>(null);
  const form = useForm({
    initialValues: { name: tag },
    validate: { name: checksOf(text).required(texts.name) },
  });
  const undo = (name: string) => {
    rename(name, tag, false).catch((error: unknown) =>
      toast(errorText(error, text), { kind: 'error' }),
    );
  };
  const save = async ({ name: typed }: typeof form.values) => {
    const name = typed.trim();
    if (name === tag) return onClose();
    setPending(true);
    setFailure(null);
    try {
      await rename(tag, name, false);
      toast(texts.renamed(tag, name), { undo: () => undo(name) });
      onClose();
    } catch (error) {
      if (error instanceof AtriumError && error.status === 409) setTaken(name);
      else setFailure(showServiceError(form, error, text));
      setPending(false);
    }
  };
  if (taken !== null) {
    return (
      <ConfirmDialog
        title={texts.mergeTitle(tag, taken)}
        explanation={texts.mergeExplanation(tag, taken)}
        submit={texts.merge}
        onConfirm={async () => {
          await rename(tag, taken, true);
          toast(texts.merged(tag, taken));
        }}
        onClose={onClose}
      />
    );
  }
  return (
    <Dialog title={texts.renameTitle(tag)} onClose={onClose}>
      <form
        noValidate
        onSubmit={form.onSubmit((values) => void save(values), focusFirstError(form))}
      >
        <Stack>
          <FormError message={failure} />
          <TextInput
            key={form.key('name')}
            {...form.getInputProps('name')}
            label={texts.name}
            maxLength={NAME_LENGTH_MAX}
            autoComplete="off"
            data-autofocus
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {text.proof.cancel}
            </Button>
            <Button type="submit" loading={isPending}>
              {texts.save}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
