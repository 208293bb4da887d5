import { Button, Group, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Dialog } from './dialog.tsx';
import { useSignedInText } from '../../texts/signed-in-texts.tsx';
import { FormError } from '../forms/form-errors.tsx';
import type { Submission } from '../forms/use-submission.ts';

/** A form over a page: what it is about, its fields and its buttons. */
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
  return (
    <Dialog title={title} onClose={onClose}>
      <form noValidate onSubmit={onSubmit}>
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
