import type { Workspace } from '@atrium/client';
import { TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { FormDialog } from '../../ui/dialogs/form-dialog.tsx';
import { useWhileOpen } from '../../ui/dialogs/use-while-open.ts';
import { useSubmission } from '../../ui/forms/use-submission.ts';
import { atrium } from '../../session/atrium.ts';
import { useSignedInText } from '../../texts/signed-in-texts.tsx';

/** Asks for the name of a workspace before it is deleted with all that is in it. */
export function DeleteWorkspaceDialog({
  workspace: { id, name },
  onDeleted,
  onClose,
}: {
  workspace: Workspace;
  onDeleted: () => void;
  onClose: () => void;
}) {
  const { workspaces: texts } = useSignedInText().notes;
  const form = useForm({
    initialValues: { name: '' },
    validate: { name: (typed) => (typed.trim() === name.trim() ? null : texts.deleteMismatch) },
  });
  const close = useWhileOpen(onClose);
  const submission = useSubmission(form, async () => {
    await atrium.notes.deleteWorkspace(id);
    close();
    onDeleted();
  });
  return (
    <FormDialog
      title={texts.deleteTitle(name)}
      explanation={texts.deleteExplanation}
      submit={texts.deleteSubmit}
      isDangerous
      submission={submission}
      onClose={onClose}
    >
      <TextInput
        key={form.key('name')}
        {...form.getInputProps('name')}
        label={texts.deleteConfirm(name)}
        autoComplete="off"
        spellCheck={false}
        data-autofocus
      />
    </FormDialog>
  );
}
