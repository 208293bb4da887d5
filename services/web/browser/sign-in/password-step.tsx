import { AtriumError, type PasswordLoginResponse } from '@atrium/client';
import { Button, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { errorText } from '../ui/error-text.ts';
import { atrium } from '../session/atrium.ts';
import { useText } from '../texts/texts.tsx';
import { checksOf, CurrentPassword, EmailField } from '../ui/forms/fields.tsx';
import { focusFirstError, FormError } from '../ui/forms/form-errors.tsx';
import { usePasskeyLogin } from './use-passkey-login.ts';

/** Email and password, or a passkey, which also appears among the suggestions of the email field. */
export function PasswordStep({
  note,
  logIn,
}: {
  note?: string;
  /** Sends a login, and goes on to what the answer asks for. */
  logIn: (request: () => Promise<PasswordLoginResponse>) => Promise<void>;
}) {
  const text = useText();
  const { login, fields } = text;
  const [failure, setFailure] = useState<string | null>(note ?? null);
  const [isPending, setPending] = useState(false);
  const checks = checksOf(text);
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { email: '', password: '' },
    validateInputOnBlur: false,
    validate: { email: checks.email, password: checks.required(fields.password) },
  });

  const run = async (step: () => Promise<void>, refused: string) => {
    setPending(true);
    setFailure(null);
    try {
      await step();
    } catch (error) {
      const isRejection = error instanceof AtriumError && error.status === 401;
      setFailure(isRejection ? refused : errorText(error, text));
    } finally {
      setPending(false);
    }
  };

  const submit = (values: typeof form.values) =>
    run(() => logIn(() => atrium.auth.logIn(values)), login.wrong);

  const passkey = usePasskeyLogin((credential) =>
    run(() => logIn(() => atrium.auth.logInWithPasskey({ credential })), login.passkeyFailed),
  );

  return (
    <form
      noValidate
      onSubmit={form.onSubmit((values) => void submit(values), focusFirstError(form))}
    >
      <Stack>
        <FormError message={failure} />
        <EmailField
          key={form.key('email')}
          {...form.getInputProps('email')}
          autoComplete="username webauthn"
        />
        <CurrentPassword key={form.key('password')} {...form.getInputProps('password')} />
        <Button type="submit" loading={isPending}>
          {login.submit}
        </Button>
        {passkey.isSupported && (
          <Button variant="default" onClick={() => void run(passkey.ask, login.passkeyFailed)}>
            {login.withPasskey}
          </Button>
        )}
      </Stack>
    </form>
  );
}
