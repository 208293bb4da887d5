import { Alert, Badge, Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { Dialog } from '../../frame/dialog.tsx';
import { checksOf, CurrentPassword } from '../../forms/fields.tsx';
import { focusFirstError, FormError, showServiceError } from '../../forms/form-errors.tsx';
import { atrium } from '../../session/atrium.ts';
import { useUser } from '../../session/signed-in.tsx';
import { VerifyEmailNotice } from '../../session/verify-email-notice.tsx';
import { useSignedInText } from '../../texts/signed-in-texts.tsx';
import { Section } from '../../frame/section.tsx';
import classes from '../account.module.css';

/** The address of the account, and how to change it. */
export function EmailSection() {
  const { profile } = useSignedInText().account;
  const { email, emailVerified } = useUser();
  const [isOpen, setOpen] = useState(false);
  const [sentTo, setSentTo] = useState<string | null>(null);
  return (
    <Section
      title={profile.email}
      action={
        <Button variant="default" onClick={() => setOpen(true)}>
          {profile.changeEmail}
        </Button>
      }
    >
      <Stack>
        <Group gap="xs">
          <Text className={classes.value}>{email}</Text>
          <Badge variant="default">{emailVerified ? profile.verified : profile.notVerified}</Badge>
        </Group>
        <VerifyEmailNotice />
        <div role="status">
          {sentTo !== null && <Alert variant="default">{profile.linkSent(sentTo)}</Alert>}
        </div>
      </Stack>
      {isOpen && (
        <ChangeEmailDialog
          onClose={() => setOpen(false)}
          onSent={(address) => {
            setOpen(false);
            setSentTo(address);
          }}
        />
      )}
    </Section>
  );
}

function ChangeEmailDialog({
  onClose,
  onSent,
}: {
  onClose: () => void;
  onSent: (email: string) => void;
}) {
  const text = useSignedInText();
  const { fields, proof } = text;
  const { profile } = text.account;
  const [failure, setFailure] = useState<string | null>(null);
  const [isPending, setPending] = useState(false);
  const checks = checksOf(text);
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { email: '', currentPassword: '' },
    validate: { email: checks.email, currentPassword: checks.required(fields.password) },
  });
  const send = async (values: typeof form.values) => {
    setPending(true);
    setFailure(null);
    try {
      await atrium.auth.requestEmailChange(values);
      onSent(values.email);
    } catch (error) {
      setFailure(showServiceError(form, error, text));
      setPending(false);
    }
  };
  return (
    <Dialog title={profile.changeEmail} onClose={onClose}>
      <form
        noValidate
        onSubmit={form.onSubmit((values) => void send(values), focusFirstError(form))}
      >
        <Stack>
          <Text size="sm">{profile.changeEmailHint}</Text>
          <FormError message={failure} />
          <TextInput
            key={form.key('email')}
            {...form.getInputProps('email')}
            label={profile.newEmail}
            type="email"
            inputMode="email"
            autoComplete="email"
            data-autofocus
          />
          <CurrentPassword
            key={form.key('currentPassword')}
            {...form.getInputProps('currentPassword')}
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {proof.cancel}
            </Button>
            <Button type="submit" loading={isPending}>
              {profile.sendLink}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
