import type { LoginResponse, MfaBody, MfaOptions } from '@atrium/client';
import { Button, Stack, TextInput, Title } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useEffect, useState } from 'react';
import { errorText } from '../ui/error-text.ts';
import { atrium } from '../session/atrium.ts';
import { useText } from '../texts/texts.tsx';
import { checksOf } from '../ui/forms/fields.tsx';
import { focusFirstError, FormError, hasCode } from '../ui/forms/form-errors.tsx';
import { askForPasskey } from './passkey.ts';

type Proof = Omit<MfaBody, 'mfaToken'>;
type Method = 'code' | 'recoveryCode';

interface SecondStepProps {
  mfaToken: string;
  /** Sends the proof, and goes on to what the answer asks for. */
  logIn: (request: () => Promise<LoginResponse>) => Promise<void>;
  onBack: (note?: string) => void;
}

/** The second factor: a code of the app, a passkey, or a recovery code. */
export function SecondStep(props: SecondStepProps) {
  const { login } = useText();
  const { prove, provePasskey, failure, isPending } = useProof(props);
  const methods = useMethods(props.mfaToken);
  const [chosen, setChosen] = useState<Method | null>(null);
  const method = chosen ?? (methods.includes('code') ? 'code' : null);
  return (
    <Stack>
      <Title order={2} size="h4">
        {login.secondStepTitle}
      </Title>
      <FormError message={failure} />
      {method !== null && (
        <CodeForm
          key={method}
          method={method}
          isPending={isPending}
          onSubmit={(value) => void prove({ [method]: value })}
        />
      )}
      {methods.includes('passkey') && (
        <Button
          variant={method === null ? 'filled' : 'default'}
          loading={isPending && method === null}
          onClick={() => void provePasskey()}
        >
          {login.usePasskey}
        </Button>
      )}
      {methods.includes('code') && method === 'recoveryCode' && (
        <Button variant="subtle" onClick={() => setChosen('code')}>
          {login.useCode}
        </Button>
      )}
      {methods.includes('recoveryCode') && method !== 'recoveryCode' && (
        <Button variant="subtle" onClick={() => setChosen('recoveryCode')}>
          {login.useRecoveryCode}
        </Button>
      )}
      <Button variant="subtle" color="gray" onClick={() => props.onBack()}>
        {login.back}
      </Button>
    </Stack>
  );
}

/** What the account has for a second factor. */
function useMethods(mfaToken: string): MfaOptions['methods'] {
  const [methods, setMethods] = useState<MfaOptions['methods']>([]);
  useEffect(() => {
    atrium.auth.getMfaLoginOptions({ mfaToken }).then(
      (options) => setMethods(options.methods),
      // Most accounts have an app, and all have recovery codes.
      () => setMethods(['code', 'recoveryCode']),
    );
  }, [mfaToken]);
  return methods;
}

function useProof({ mfaToken, logIn, onBack }: SecondStepProps) {
  const text = useText();
  const [failure, setFailure] = useState<string | null>(null);
  const [isPending, setPending] = useState(false);
  const prove = async (proof: Proof) => {
    setPending(true);
    setFailure(null);
    try {
      await logIn(() => atrium.auth.completeMfaLogin({ mfaToken, ...proof }));
    } catch (error) {
      if (hasCode(error, 'login-expired')) onBack(text.login.expired);
      else if (hasCode(error, 'code-wrong', 'validation-failed')) setFailure(text.login.wrongCode);
      else setFailure(errorText(error, text));
    } finally {
      setPending(false);
    }
  };
  const provePasskey = async () => {
    try {
      // A challenge is for one use.
      const { passkey: challenge } = await atrium.auth.getMfaLoginOptions({ mfaToken });
      const passkey = challenge === null ? null : await askForPasskey(challenge);
      if (passkey !== null) await prove({ passkey });
    } catch (error) {
      setFailure(errorText(error, text));
    }
  };
  return { prove, provePasskey, failure, isPending };
}

function CodeForm({
  method,
  isPending,
  onSubmit,
}: {
  method: Method;
  isPending: boolean;
  onSubmit: (value: string) => void;
}) {
  const text = useText();
  const { login } = text;
  const isCode = method === 'code';
  const label = isCode ? login.code : login.recoveryCode;
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { value: '' },
    validate: { value: checksOf(text).required(label) },
  });
  return (
    <form
      noValidate
      onSubmit={form.onSubmit(({ value }) => onSubmit(value.trim()), focusFirstError(form))}
    >
      <Stack>
        <TextInput
          key={form.key('value')}
          {...form.getInputProps('value')}
          label={label}
          description={isCode ? login.codeHint : login.recoveryHint}
          inputMode={isCode ? 'numeric' : 'text'}
          autoComplete={isCode ? 'one-time-code' : 'off'}
          data-autofocus
          ref={(input) => input?.focus()}
        />
        <Button type="submit" loading={isPending}>
          {login.verify}
        </Button>
      </Stack>
    </form>
  );
}
