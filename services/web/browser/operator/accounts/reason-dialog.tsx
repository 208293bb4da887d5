import { Textarea } from '@mantine/core';
import { useForm } from '@mantine/form';
import { FormDialog } from '../../ui/dialogs/form-dialog.tsx';
import { useWhileOpen } from '../../ui/dialogs/use-while-open.ts';
import { useSubmission } from '../../ui/forms/use-submission.ts';
import { useAllText } from '../../texts/signed-in-texts.tsx';

const REASON_LENGTH_MIN = 3;
const REASON_LENGTH_MAX = 500;

/** Asks for the reason of an action, naming the account and the consequences. */
export function ReasonDialog({
  title,
  explanation,
  submit,
  isDangerous,
  onSubmit,
  onClose,
}: {
  title: string;
  explanation: string;
  submit: string;
  isDangerous: boolean;
  /** Its error is shown in the dialog, which stays open. */
  onSubmit: (reason: string) => Promise<unknown>;
  onClose: () => void;
}) {
  const { accounts } = useAllText().operator;
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { reason: '' },
    validate: {
      reason: (reason) =>
        reason.trim().length < REASON_LENGTH_MIN ? accounts.reasonTooShort : null,
    },
  });
  const close = useWhileOpen(onClose);
  const submission = useSubmission(form, async ({ reason }) => {
    await onSubmit(reason.trim());
    close();
  });
  return (
    <FormDialog
      title={title}
      explanation={explanation}
      submit={submit}
      isDangerous={isDangerous}
      submission={submission}
      onClose={onClose}
    >
      <Textarea
        key={form.key('reason')}
        {...form.getInputProps('reason')}
        label={accounts.reason}
        description={accounts.reasonHint}
        rows={3}
        maxLength={REASON_LENGTH_MAX}
        data-autofocus
      />
    </FormDialog>
  );
}
