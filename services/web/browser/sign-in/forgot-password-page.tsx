import { Button, Stack, Text, Title } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { ButtonLink, TextLink } from '../ui/controls/links.tsx';
import { MessagePage } from '../ui/page/message-page.tsx';
import { atrium } from '../session/atrium.ts';
import { useText } from '../texts/texts.tsx';
import { checksOf, EmailField } from '../ui/forms/fields.tsx';
import { FormError } from '../ui/forms/form-errors.tsx';
import { useSubmission } from '../ui/forms/use-submission.ts';

/** Answers the same whether the email address has an account or not. */
export function ForgotPasswordPage() {
  const text = useText();
  const { forgot } = text;
  const [sentTo, setSentTo] = useState<string | null>(null);
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { email: '' },
    validate: { email: checksOf(text).email },
  });
  const { failure, isPending, onSubmit } = useSubmission(form, async (values) => {
    await atrium.auth.requestPasswordReset(values);
    setSentTo(values.email);
  });
  if (sentTo !== null) {
    return (
      <MessagePage
        title={forgot.doneTitle}
        actions={
          <ButtonLink to="/login" variant="default">
            {forgot.back}
          </ButtonLink>
        }
      >
        {forgot.done(sentTo)}
      </MessagePage>
    );
  }
  return (
    <Stack gap="lg">
      <Title order={1}>{forgot.title}</Title>
      <Text>{forgot.explanation}</Text>
      <form noValidate onSubmit={onSubmit}>
        <Stack>
          <FormError message={failure} />
          <EmailField key={form.key('email')} {...form.getInputProps('email')} />
          <Button type="submit" loading={isPending}>
            {forgot.submit}
          </Button>
        </Stack>
      </form>
      <TextLink to="/login" size="sm">
        {forgot.back}
      </TextLink>
    </Stack>
  );
}
