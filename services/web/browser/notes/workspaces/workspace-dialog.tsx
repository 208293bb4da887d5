import type { Workspace } from '@atrium/client';
import { Button, Group, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { checksOf } from '../../forms/fields.tsx';
import { focusFirstError, FormError, showServiceError } from '../../forms/form-errors.tsx';
import { Dialog } from '../../frame/dialog.tsx';
import { useToast } from '../../frame/toasts.tsx';
import { atrium } from '../../session/atrium.ts';
import { useSignedInText } from '../../texts/signed-in-texts.tsx';
import { WORKSPACES_KEY } from './use-workspaces.ts';

const NAME_LENGTH_MAX = 100;
const DESCRIPTION_LENGTH_MAX = 1000;

/** Creates a workspace and opens it, or changes the one that is given. */
export function WorkspaceDialog({
  workspace,
  onClose,
}: {
  workspace?: Workspace;
  onClose: () => void;
}) {
  const text = useSignedInText();
  const { workspaces: texts } = text.notes;
  const toast = useToast();
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const [failure, setFailure] = useState<string | null>(null);
  const [isPending, setPending] = useState(false);
  const form = useForm({
    initialValues: { name: workspace?.name ?? '', description: workspace?.description ?? '' },
    validate: { name: checksOf(text).required(texts.name) },
  });
  const save = async (values: typeof form.values) => {
    setPending(true);
    setFailure(null);
    const body = { ...values, name: values.name.trim() };
    try {
      if (workspace === undefined) {
        const { id } = await atrium.notes.createWorkspace(body);
        toast(texts.created(body.name));
        await navigate({ to: '/workspaces/$id', params: { id } });
      } else {
        await atrium.notes.updateWorkspace(workspace.id, body);
        toast(texts.saved);
      }
      onClose();
      await queryClient.invalidateQueries({ queryKey: WORKSPACES_KEY });
    } catch (error) {
      setFailure(showServiceError(form, error, text));
      setPending(false);
    }
  };
  const isNew = workspace === undefined;
  return (
    <Dialog title={isNew ? texts.new : texts.renameTitle} onClose={onClose}>
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
          <TextInput
            key={form.key('description')}
            {...form.getInputProps('description')}
            label={texts.description}
            description={texts.descriptionHint}
            maxLength={DESCRIPTION_LENGTH_MAX}
            autoComplete="off"
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {text.proof.cancel}
            </Button>
            <Button type="submit" loading={isPending}>
              {isNew ? texts.create : texts.save}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
