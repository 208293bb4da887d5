import { Button } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { useToast } from '../../ui/toasts/toasts.tsx';
import { checksOf, CurrentPassword, NewPassword } from '../../ui/forms/fields.tsx';
import { FormDialog } from '../../ui/dialogs/form-dialog.tsx';
import { useWhileOpen } from '../../ui/dialogs/use-while-open.ts';
import { useSubmission } from '../../ui/forms/use-submission.ts';
import { atrium } from '../../session/atrium.ts';
import { useUser } from '../../session/user.ts';
import { useAllText } from '../../texts/signed-in-texts.tsx';
import { Section } from '../../ui/page/section.tsx';
import { WithPassword } from '../proof/password-first.tsx';

export function PasswordSection() {
  const { security } = useAllText().account;
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  return (
    <Section
      title={security.password}
      hint={security.passwordHint}
      action={
        <Button variant="default" onClick={() => setOpen(true)}>
          {security.changePassword}
        </Button>
      }
    >
      {isOpen && (
        <WithPassword title={security.changePassword} onClose={close}>
          <ChangePasswordDialog onClose={close} />
        </WithPassword>
      )}
    </Section>
  );
}

function ChangePasswordDialog({ onClose }: { onClose: () => void }) {
  const text = useAllText();
  const { security } = text.account;
  const toast = useToast();
  const { email } = useUser();
  const [chosen, setChosen] = useState('');
  const checks = checksOf(text);
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { currentPassword: '', newPassword: '' },
    onValuesChange: (values) => setChosen(values.newPassword),
    validate: {
      currentPassword: checks.required(security.currentPassword),
      newPassword: checks.newPassword,
    },
  });
  const close = useWhileOpen(onClose);
  const submission = useSubmission(form, async (values) => {
    await atrium.auth.changePassword(values);
    toast(security.passwordChanged);
    close();
  });
  return (
    <FormDialog
      title={security.changePassword}
      submit={security.changePassword}
      submission={submission}
      onClose={onClose}
    >
      {/* For password managers. */}
      <input type="hidden" autoComplete="username" value={email} />
      <CurrentPassword
        key={form.key('currentPassword')}
        {...form.getInputProps('currentPassword')}
        label={security.currentPassword}
        data-proof
        data-autofocus
      />
      <NewPassword
        key={form.key('newPassword')}
        {...form.getInputProps('newPassword')}
        chosen={chosen}
      />
    </FormDialog>
  );
}
