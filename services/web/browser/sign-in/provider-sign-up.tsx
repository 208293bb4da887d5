import type { ProviderSignUpBody } from '@atrium/client';
import { Button, NativeSelect, Stack, Text, TextInput, Title } from '@mantine/core';
import { useForm } from '@mantine/form';
import { loginProviders } from '../session/login-providers.ts';
import { useProviderTexts } from '../texts/lazy-texts.ts';
import { useText } from '../texts/texts.tsx';
import { checksOf, UsernameField } from '../ui/forms/fields.tsx';
import { Form } from '../ui/forms/form.tsx';
import { FormError } from '../ui/forms/form-errors.tsx';
import { useSubmission } from '../ui/forms/use-submission.ts';

/** Asks somebody new for what their provider does not know. */
export function ProviderSignUp({
  person,
  onDone,
}: {
  person: { provider: string; email: string; name: string };
  onDone: () => void;
}) {
  const text = useText();
  const texts = useProviderTexts();
  const { fields } = text;
  const checks = checksOf(text);
  const initialValues: ProviderSignUpBody = {
    name: person.name,
    username: '',
    birthdate: '',
    gender: 'unspecified',
  };
  const form = useForm({
    mode: 'uncontrolled',
    initialValues,
    validateInputOnBlur: true,
    validate: {
      name: checks.required(fields.name),
      username: checks.username,
      birthdate: checks.birthdate,
    },
  });
  const submission = useSubmission(form, async (body) => {
    await loginProviders.signUpWithProvider(body);
    onDone();
  });
  const input = (name: keyof ProviderSignUpBody) => ({
    key: form.key(name),
    ...form.getInputProps(name),
  });
  return (
    <Stack gap="lg">
      <Title order={1}>{texts.signUpTitle}</Title>
      <Text style={{ overflowWrap: 'anywhere' }}>
        {texts.signUpText(person.provider, person.email)}
      </Text>
      <Form onSubmit={submission.onSubmit}>
        <Stack>
          <FormError message={submission.failure} />
          <TextInput {...input('name')} label={fields.name} autoComplete="name" />
          <UsernameField {...input('username')} />
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
            data={Object.entries(fields.genders).map(([value, label]) => ({ value, label }))}
          />
          <Button type="submit" loading={submission.isPending}>
            {texts.signUp}
          </Button>
        </Stack>
      </Form>
    </Stack>
  );
}
