import { Button, Group, Stack, Text, Textarea } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { focusFirstError, FormError, showServiceError } from '../../forms/form-errors.tsx';
import { Dialog } from '../../frame/dialog.tsx';
import { useSignedInText } from '../../texts/signed-in-texts.tsx';

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
  const text = useSignedInText();
  const { accounts } = text.operator;
  const [failure, setFailure] = useState<string | null>(null);
  const [isPending, setPending] = useState(false);
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { reason: '' },
    validate: {
      reason: (reason) =>
        reason.trim().length < REASON_LENGTH_MIN ? accounts.reasonTooShort : null,
    },
  });
  const run = async ({ reason }: { reason: string }) => {
    setPending(true);
    setFailure(null);
    try {
      await onSubmit(reason.trim());
      onClose();
    } catch (error) {
      setFailure(showServiceError(form, error, text));
      setPending(false);
    }
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <form
        noValidate
        onSubmit={form.onSubmit((values) => void run(values), focusFirstError(form))}
      >
        <Stack>
          <Text size="sm">{explanation}</Text>
          <FormError message={failure} />
          <Textarea
            key={form.key('reason')}
            {...form.getInputProps('reason')}
            label={accounts.reason}
            description={accounts.reasonHint}
            rows={3}
            maxLength={REASON_LENGTH_MAX}
            data-autofocus
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {text.proof.cancel}
            </Button>
            <Button type="submit" loading={isPending} {...(isDangerous && { color: 'red' })}>
              {submit}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
