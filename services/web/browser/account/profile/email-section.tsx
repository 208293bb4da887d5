import { Alert, Badge, Button, Group, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { checksOf, CurrentPassword, EmailField } from '../../ui/forms/fields.tsx';
import { FormDialog } from '../../ui/dialogs/form-dialog.tsx';
import { useSubmission } from '../../ui/forms/use-submission.ts';
import { atrium } from '../../session/atrium.ts';
import { useUser } from '../../session/user.ts';
import { VerifyEmailNotice } from '../../session/verify-email-notice.tsx';
import { useAllText } from '../../texts/signed-in-texts.tsx';
import { Section } from '../../ui/page/section.tsx';
import { WithPassword } from '../proof/password-first.tsx';
import classes from '../account.module.css';

/** The email address of the account, and how to change it. */
export function EmailSection() {
  const { profile } = useAllText().account;
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
        <WithPassword title={profile.changeEmail} onClose={() => setOpen(false)}>
          <ChangeEmailDialog
            onClose={() => setOpen(false)}
            onSent={(email) => {
              setOpen(false);
              setSentTo(email);
            }}
          />
        </WithPassword>
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
  const text = useAllText();
  const { profile } = text.account;
  const checks = checksOf(text);
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { email: '', currentPassword: '' },
    validate: { email: checks.email, currentPassword: checks.required(text.fields.password) },
  });
  const submission = useSubmission(form, async (values) => {
    await atrium.auth.requestEmailChange(values);
    onSent(values.email);
  });
  return (
    <FormDialog
      title={profile.changeEmail}
      explanation={profile.changeEmailHint}
      submit={profile.sendLink}
      submission={submission}
      onClose={onClose}
    >
      <EmailField
        key={form.key('email')}
        {...form.getInputProps('email')}
        label={profile.newEmail}
        autoComplete="email"
        data-autofocus
      />
      <CurrentPassword
        key={form.key('currentPassword')}
        {...form.getInputProps('currentPassword')}
      />
    </FormDialog>
  );
}
