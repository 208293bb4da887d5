import type { ProviderSignUpBody } from '@atrium/client';
import { Button, Stack, Text, Title } from '@mantine/core';
import { useForm } from '@mantine/form';
import { loginProviders } from '../session/login-providers.ts';
import { useProviderTexts } from '../texts/lazy-texts.ts';
import { useText } from '../texts/texts.tsx';
import { Form } from '../ui/forms/form.tsx';
import { FormError } from '../ui/forms/form-errors.tsx';
import { useSubmission } from '../ui/forms/use-submission.ts';
import { PersonFields, personChecks } from './person-fields.tsx';

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
    validate: personChecks(text),
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
          <PersonFields input={input} />
          <Button type="submit" loading={submission.isPending}>
            {texts.signUp}
          </Button>
        </Stack>
      </Form>
    </Stack>
  );
}
