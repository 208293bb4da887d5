import { Button, Group, Stack, Text } from '@mantine/core';
import { type FormEvent, type ReactNode, useState } from 'react';
import { Dialog } from './dialog.tsx';
import { useSignedInText } from '../../texts/signed-in-texts.tsx';
import { FormError } from '../forms/form-errors.tsx';
import type { Submission } from '../forms/use-submission.ts';
import { useUnsavedChanges } from './unsaved-changes.tsx';

/**
 * A form over a page: what it is about, its fields and its buttons. Its Cancel button discards what was entered;
 * closing it in another way asks first. It does not ask about a field with `data-proof`, which proves who the
 * person is and is soon entered again, nor when the form is dangerous: what that asks for is no loss.
 */
export function FormDialog({
  title,
  explanation,
  submit,
  isDangerous = false,
  submission: { failure, isPending, onSubmit },
  onClose,
  children,
}: {
  title: string;
  explanation?: string | undefined;
  submit: string;
  isDangerous?: boolean;
  submission: Submission;
  onClose: () => void;
  children: ReactNode;
}) {
  const { proof } = useSignedInText();
  const [isChanged, setChanged] = useState(false);
  const isUnsaved = isChanged && !isPending && !isDangerous;
  const { question, close } = useUnsavedChanges({ when: isUnsaved, onClose });
  const noteChange = ({ target }: FormEvent) => {
    if (target instanceof Element && !target.matches('[data-proof]')) setChanged(true);
  };
  return (
    <Dialog title={title} onClose={close}>
      {question}
      <form noValidate onSubmit={onSubmit} onChange={noteChange}>
        <Stack>
          {explanation !== undefined && <Text size="sm">{explanation}</Text>}
          <FormError message={failure} />
          {children}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {proof.cancel}
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
