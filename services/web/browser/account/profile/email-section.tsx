import type { OwnerProof } from '@atrium/client';
import { Alert, Badge, Button, Group, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { checksOf, EmailField } from '../../ui/forms/fields.tsx';
import { Loaded } from '../../ui/page/loaded.tsx';
import { atrium } from '../../session/atrium.ts';
import { useUser } from '../../session/user.ts';
import { VerifyEmailNotice } from '../../session/verify-email-notice.tsx';
import { useAllText } from '../../texts/signed-in-texts.tsx';
import { Section } from '../../ui/page/section.tsx';
import { ReauthenticationDialog } from '../proof/reauthentication-dialog.tsx';
import { methodsOf, useSecondFactors } from '../proof/second-factors.ts';
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
        <ChangeEmailDialog
          onClose={() => setOpen(false)}
          onSent={(email) => {
            setOpen(false);
            setSentTo(email);
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
  const text = useAllText();
  const { profile } = text.account;
  const factors = useSecondFactors();
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { email: '' },
    validate: { email: checksOf(text).email },
  });
  const validate = () => {
    const { hasErrors } = form.validate();
    if (hasErrors) form.getInputNode('email')?.focus();
    return !hasErrors;
  };
  const send = async (proof: OwnerProof) => {
    const { email } = form.getValues();
    await atrium.auth.requestEmailChange({ email, ...proof });
    onSent(email);
  };
  return (
    <Loaded query={factors} skeleton={null}>
      {(loaded) => (
        <ReauthenticationDialog
          title={profile.changeEmail}
          explanation={profile.changeEmailHint}
          submit={profile.sendLink}
          methods={methodsOf(loaded)}
          validate={validate}
          onProof={send}
          onClose={onClose}
        >
          <EmailField
            key={form.key('email')}
            {...form.getInputProps('email')}
            label={profile.newEmail}
            autoComplete="email"
            data-autofocus
          />
        </ReauthenticationDialog>
      )}
    </Loaded>
  );
}
