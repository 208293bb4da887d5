import type { Workspace } from '@atrium/client';
import { TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { checksOf } from '../../ui/forms/fields.tsx';
import { FormDialog } from '../../ui/dialogs/form-dialog.tsx';
import { useWhileOpen } from '../../ui/dialogs/use-while-open.ts';
import { useSubmission } from '../../ui/forms/use-submission.ts';
import { useToast } from '../../ui/toasts/toasts.tsx';
import { reload } from '../../ui/lists/use-list.ts';
import { atrium } from '../../session/atrium.ts';
import { queryKeys } from '../../session/query-keys.ts';
import { useSignedInText } from '../../texts/signed-in-texts.tsx';

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
  const form = useForm({
    initialValues: { name: workspace?.name ?? '', description: workspace?.description ?? '' },
    validate: { name: checksOf(text).required(texts.name) },
  });
  const close = useWhileOpen(onClose);
  const submission = useSubmission(form, async (values) => {
    const body = { ...values, name: values.name.trim() };
    if (workspace === undefined) {
      const { id } = await atrium.notes.createWorkspace(body);
      toast(texts.created(body.name));
      await navigate({ to: '/workspaces/$id', params: { id } });
    } else {
      await atrium.notes.updateWorkspace(workspace.id, body);
      toast(texts.saved);
    }
    close();
    await reload(queryClient, { queryKey: queryKeys.workspaces.all });
  });
  const isNew = workspace === undefined;
  return (
    <FormDialog
      title={isNew ? texts.new : texts.renameTitle}
      submit={isNew ? texts.create : texts.save}
      submission={submission}
      onClose={onClose}
    >
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
    </FormDialog>
  );
}
