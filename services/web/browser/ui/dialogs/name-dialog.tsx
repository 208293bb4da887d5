import { TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useSignedInText } from '../../texts/signed-in-texts.tsx';
import { checksOf } from '../forms/fields.tsx';
import { FormDialog } from './form-dialog.tsx';
import { useSubmission } from '../forms/use-submission.ts';

/** Asks for the name of something. */
export function NameDialog({
  label,
  initialName = '',
  maxLength,
  onSave,
  ...dialog
}: {
  title: string;
  explanation?: string;
  label: string;
  initialName?: string;
  maxLength: number;
  submit: string;
  /** Closes the dialog. Its error is shown in the dialog, which stays open. */
  onSave: (name: string) => Promise<void>;
  onClose: () => void;
}) {
  const form = useForm({
    initialValues: { name: initialName },
    validate: { name: checksOf(useSignedInText()).required(label) },
  });
  const submission = useSubmission(form, ({ name }) => onSave(name.trim()));
  return (
    <FormDialog {...dialog} submission={submission}>
      <TextInput
        key={form.key('name')}
        {...form.getInputProps('name')}
        label={label}
        maxLength={maxLength}
        autoComplete="off"
        data-autofocus
      />
    </FormDialog>
  );
}
