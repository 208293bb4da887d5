import { Button, Group, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { Dialog } from '../../frame/dialog.tsx';
import { useToast } from '../../frame/toasts.tsx';
import { checksOf, CurrentPassword, NewPassword } from '../../forms/fields.tsx';
import { focusFirstError, FormError, showServiceError } from '../../forms/form-errors.tsx';
import { atrium } from '../../session/atrium.ts';
import { useUser } from '../../session/signed-in.tsx';
import { useSignedInText } from '../../texts/signed-in-texts.tsx';
import { Section } from '../../frame/section.tsx';

export function PasswordSection() {
  const { security } = useSignedInText().account;
  const [isOpen, setOpen] = useState(false);
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
      {isOpen && <ChangePasswordDialog onClose={() => setOpen(false)} />}
    </Section>
  );
}

function ChangePasswordDialog({ onClose }: { onClose: () => void }) {
  const text = useSignedInText();
  const { security } = text.account;
  const toast = useToast();
  const { email } = useUser();
  const [failure, setFailure] = useState<string | null>(null);
  const [isPending, setPending] = useState(false);
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
  const change = async (values: typeof form.values) => {
    setPending(true);
    setFailure(null);
    try {
      await atrium.auth.changePassword(values);
      toast(security.passwordChanged);
      onClose();
    } catch (error) {
      setFailure(showServiceError(form, error, text));
      setPending(false);
    }
  };
  return (
    <Dialog title={security.changePassword} onClose={onClose}>
      <form
        noValidate
        onSubmit={form.onSubmit((values) => void change(values), focusFirstError(form))}
      >
        <Stack>
          <FormError message={failure} />
          {/* For password managers. */}
          <input type="hidden" autoComplete="username" value={email} />
          <CurrentPassword
            key={form.key('currentPassword')}
            {...form.getInputProps('currentPassword')}
            label={security.currentPassword}
            data-autofocus
          />
          <NewPassword
            key={form.key('newPassword')}
            {...form.getInputProps('newPassword')}
            chosen={chosen}
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {text.proof.cancel}
            </Button>
            <Button type="submit" loading={isPending}>
              {security.changePassword}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
