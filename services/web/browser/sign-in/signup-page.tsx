import type { RegisterBody } from '@atrium/client';
import { Button, Group, NativeSelect, Stack, Text, TextInput, Title } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { ButtonLink, TextLink } from '../ui/controls/links.tsx';
import { MessagePage } from '../ui/page/message-page.tsx';
import { atrium } from '../session/atrium.ts';
import { useText } from '../texts/texts.tsx';
import { checksOf, EmailField, NewPassword, UsernameField } from '../ui/forms/fields.tsx';
import { FormError } from '../ui/forms/form-errors.tsx';
import { useSubmission } from '../ui/forms/use-submission.ts';
import { emailToken, INVITATION_PATH } from './email-token.ts';
import { useReturnTo } from './use-return-to.ts';

const GENDERS = ['unspecified', 'female', 'male', 'other'] as const;
const EMPTY: RegisterBody = {
  name: '',
  username: '',
  email: '',
  password: '',
  birthdate: '',
  gender: 'unspecified',
};

export function SignupPage() {
  const { signup } = useText();
  const returnTo = useReturnTo();
  const [registered, setRegistered] = useState<string | null>(null);
  if (registered !== null) {
    return (
      <MessagePage
        title={signup.doneTitle}
        actions={
          <ButtonLink to="/login" search={{ return_to: returnTo }}>
            {signup.logIn}
          </ButtonLink>
        }
      >
        <p>{signup.done(registered)}</p>
        <p>{signup.doneNext}</p>
      </MessagePage>
    );
  }
  return (
    <Stack gap="lg">
      <Title order={1}>{signup.title}</Title>
      <SignupForm onRegistered={setRegistered} />
      <Group gap="xs">
        <Text size="sm">{signup.haveAccount}</Text>
        <TextLink to="/login" search={{ return_to: returnTo }} size="sm">
          {signup.logIn}
        </TextLink>
      </Group>
    </Stack>
  );
}

function SignupForm({ onRegistered }: { onRegistered: (email: string) => void }) {
  const text = useText();
  const { fields, signup } = text;
  const [password, setPassword] = useState('');
  const isInvited = useReturnTo() === INVITATION_PATH;
  const checks = checksOf(text);
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: EMPTY,
    validateInputOnBlur: true,
    onValuesChange: (values) => setPassword(values.password),
    validate: {
      name: checks.required(fields.name),
      username: checks.username,
      email: checks.email,
      password: checks.newPassword,
      birthdate: checks.birthdate,
    },
  });

  const { failure, isPending, onSubmit } = useSubmission(form, async (values) => {
    const invitation = isInvited ? emailToken(INVITATION_PATH) : null;
    await atrium.auth.registerAccount({ ...values, ...(invitation !== null && { invitation }) });
    onRegistered(values.email);
  });

  const input = (name: keyof RegisterBody) => ({
    key: form.key(name),
    ...form.getInputProps(name),
  });
  return (
    <form noValidate onSubmit={onSubmit}>
      <Stack>
        <FormError message={failure} />
        <TextInput {...input('name')} label={fields.name} autoComplete="name" />
        <UsernameField {...input('username')} />
        <EmailField {...input('email')} />
        <NewPassword {...input('password')} label={fields.password} chosen={password} />
        <TextInput
          {...input('birthdate')}
          label={fields.birthdate}
          type="date"
          autoComplete="bday"
        />
        <NativeSelect
          {...input('gender')}
          label={fields.gender}
          autoComplete="sex"
          data={GENDERS.map((value) => ({ value, label: fields.genders[value] }))}
        />
        <Button type="submit" loading={isPending}>
          {signup.submit}
        </Button>
      </Stack>
    </form>
  );
}
