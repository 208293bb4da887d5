import { Button, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { FormError } from '../forms/form-errors.tsx';
import { useSignedInText } from '../../texts/signed-in-texts.tsx';
import { Dialog } from './dialog.tsx';
import { errorText } from '../error-text.ts';
import { useWhileOpen } from './use-while-open.ts';

/** Asks before something that cannot be undone, naming it and its consequences. */
export function ConfirmDialog({
  title,
  explanation,
  submit,
  onConfirm,
  onClose,
}: {
  title: string;
  explanation: string;
  submit: string;
  /** Its error is shown in the dialog, which stays open. */
  onConfirm: () => Promise<unknown>;
  onClose: () => void;
}) {
  const text = useSignedInText();
  const [failure, setFailure] = useState<string | null>(null);
  const [isPending, setPending] = useState(false);
  const close = useWhileOpen(onClose);
  const confirm = async () => {
    setPending(true);
    setFailure(null);
    try {
      await onConfirm();
      // Lists show the change first: when what opened the dialog goes with it, the page gets the focus.
      await new Promise((resolve) => setTimeout(resolve));
      close();
    } catch (error) {
      setFailure(errorText(error, text));
      setPending(false);
    }
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <Stack>
        <Text size="sm">{explanation}</Text>
        <FormError message={failure} />
        <Group justify="flex-end">
          <Button variant="default" data-autofocus onClick={onClose}>
            {text.proof.cancel}
          </Button>
          <Button color="red" loading={isPending} onClick={() => void confirm()}>
            {submit}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
