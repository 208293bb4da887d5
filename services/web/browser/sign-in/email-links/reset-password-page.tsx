import { Button, Stack, Text, Title } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { ButtonLink } from '../../ui/controls/links.tsx';
import { MessagePage } from '../../ui/page/message-page.tsx';
import { atrium } from '../../session/atrium.ts';
import { useText } from '../../texts/texts.tsx';
import { emailToken } from '../email-token.ts';
import { Form } from '../../ui/forms/form.tsx';
import { checksOf, NewPassword } from '../../ui/forms/fields.tsx';
import { FormError } from '../../ui/forms/form-errors.tsx';
import { useSubmission } from '../../ui/forms/use-submission.ts';
import { ExpiredLink, isExpiredLink } from './token-page.tsx';

/** Where the link of a password reset leads. */
export function ResetPasswordPage() {
  const { reset, forgot } = useText();
  const [token] = useState(() => emailToken());
  const [state, setState] = useState<'open' | 'done' | 'expired'>('open');
  if (token === null || state === 'expired') {
    return (
      <ExpiredLink
        isMissing={token === null}
        next={<ButtonLink to="/forgot-password">{forgot.submit}</ButtonLink>}
      />
    );
  }
  if (state === 'done') {
    return (
      <MessagePage
        title={reset.doneTitle}
        actions={<ButtonLink to="/login">{reset.logIn}</ButtonLink>}
      >
        {reset.done}
      </MessagePage>
    );
  }
  return <ResetForm token={token} onEnd={setState} />;
}

function ResetForm({
  token,
  onEnd,
}: {
  token: string;
  onEnd: (state: 'done' | 'expired') => void;
}) {
  const text = useText();
  const { reset, fields } = text;
  const [chosen, setChosen] = useState('');
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { password: '' },
    validateInputOnBlur: true,
    onValuesChange: ({ password }) => setChosen(password),
    validate: { password: checksOf(text).newPassword },
  });
  const { failure, isPending, onSubmit } = useSubmission(form, async (values) => {
    try {
      await atrium.auth.resetPassword(token, values);
      onEnd('done');
    } catch (error) {
      if (!isExpiredLink(error)) throw error;
      onEnd('expired');
    }
  });
  return (
    <Stack gap="lg">
      <Title order={1}>{reset.title}</Title>
      <Text>{reset.explanation}</Text>
      <Form onSubmit={onSubmit}>
        <Stack>
          <FormError message={failure} />
          <NewPassword
            key={form.key('password')}
            {...form.getInputProps('password')}
            label={fields.newPassword}
            chosen={chosen}
          />
          <Button type="submit" loading={isPending}>
            {reset.submit}
          </Button>
        </Stack>
      </Form>
    </Stack>
  );
}
