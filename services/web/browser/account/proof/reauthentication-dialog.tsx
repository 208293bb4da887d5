import type { OwnerProof } from '@atrium/client';
import { Button, Group, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { type FormEvent, type ReactNode, useState } from 'react';
import { flushSync } from 'react-dom';
import { errorText } from '../../ui/error-text.ts';
import { checksOf, CurrentPassword } from '../../ui/forms/fields.tsx';
import { FormDialog } from '../../ui/dialogs/form-dialog.tsx';
import { focusFirstError, hasCode } from '../../ui/forms/form-errors.tsx';
import { askForPasskey } from '../../sign-in/passkey.ts';
import { atrium } from '../../session/atrium.ts';
import { useUser } from '../../session/user.ts';
import type { Texts } from '../../texts/en/visitor.ts';
import { useAllText } from '../../texts/signed-in-texts.tsx';
import { useText } from '../../texts/texts.tsx';
import { WithPassword } from './password-first.tsx';
import type { Method } from './second-factors.ts';

interface ReauthenticationProps {
  title: string;
  explanation: string;
  submit: string;
  isDangerous?: boolean;
  /** How the second factor can be proved. */
  methods: readonly Method[];
  /** Other fields of the dialog, above the password. */
  children?: ReactNode;
  /** Checks the other fields and shows their errors. */
  validate?: () => boolean;
  /** Its error is shown in the dialog, which stays open. */
  onProof: (proof: OwnerProof) => Promise<void>;
  onClose: () => void;
}

/** Asks for the password, and for the second factor if there is one, before a change that needs both. */
export function ReauthenticationDialog(props: ReauthenticationProps) {
  return (
    <WithPassword title={props.title} onClose={props.onClose}>
      <ProofDialog {...props} />
    </WithPassword>
  );
}

function ProofDialog({
  title,
  explanation,
  submit,
  isDangerous = false,
  methods,
  children,
  validate = () => true,
  onProof,
  onClose,
}: ReauthenticationProps) {
  const text = useAllText();
  const { email } = useUser();
  const [method, setMethod] = useState(methods[0]);
  const [failure, setFailure] = useState<string | null>(null);
  const [isPending, setPending] = useState(false);
  const checks = checksOf(text);
  const needsCode = method === 'code' || method === 'recoveryCode';
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { password: '', code: '' },
    validate: {
      password: checks.required(text.fields.password),
      code: (value) => (needsCode ? checks.required(codeLabel(method, text))(value) : null),
    },
  });

  const submitForm = async ({ password, code }: typeof form.values) => {
    setPending(true);
    setFailure(null);
    try {
      const proof = await prove(password, method, code.trim());
      if (proof === null) setFailure(text.login.passkeyFailed);
      else await onProof(proof);
    } catch (error) {
      const field = refusedField(error);
      if (field === null) {
        setFailure(errorText(error, text));
      } else {
        const message = field === 'password' ? text.proof.wrongPassword : text.login.wrongCode;
        form.setErrors({ [field]: message });
        form.getInputNode(field)?.focus();
      }
    } finally {
      setPending(false);
    }
  };
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    if (validate()) form.onSubmit((v) => void submitForm(v), focusFirstError(form))(event);
    else event.preventDefault();
  };

  return (
    <FormDialog
      title={title}
      explanation={explanation}
      submit={submit}
      isDangerous={isDangerous}
      submission={{ failure, isPending, onSubmit }}
      onClose={onClose}
    >
      {children}
      {/* For password managers. */}
      <input type="hidden" autoComplete="username" value={email} />
      <CurrentPassword
        key={form.key('password')}
        {...form.getInputProps('password')}
        data-proof
        {...(children === undefined && { 'data-autofocus': true })}
      />
      {needsCode && (
        <TextInput
          key={`${form.key('code')} ${method}`}
          {...form.getInputProps('code')}
          data-proof
          label={codeLabel(method, text)}
          inputMode={method === 'code' ? 'numeric' : 'text'}
          autoComplete={method === 'code' ? 'one-time-code' : 'off'}
        />
      )}
      {method === 'passkey' && <Text size="sm">{text.proof.passkeyNext}</Text>}
      <OtherMethods
        methods={methods.filter((other) => other !== method)}
        onChoose={(other) => {
          form.setFieldValue('code', '');
          // The button that was pressed is gone then.
          flushSync(() => setMethod(other));
          (form.getInputNode('code') ?? form.getInputNode('password'))?.focus();
        }}
      />
    </FormDialog>
  );
}

function OtherMethods({
  methods,
  onChoose,
}: {
  methods: readonly Method[];
  onChoose: (method: Method) => void;
}) {
  const { login } = useText();
  if (methods.length === 0) return null;
  const labels = {
    code: login.useCode,
    passkey: login.usePasskey,
    recoveryCode: login.useRecoveryCode,
  };
  return (
    <Group gap="xs">
      {methods.map((method) => (
        <Button key={method} variant="subtle" size="compact-sm" onClick={() => onChoose(method)}>
          {labels[method]}
        </Button>
      ))}
    </Group>
  );
}

function codeLabel(method: Method | undefined, { login }: Texts): string {
  return method === 'recoveryCode' ? login.recoveryCode : login.code;
}

/** @returns null when the person declines to use a passkey */
async function prove(
  password: string,
  method: Method | undefined,
  code: string,
): Promise<OwnerProof | null> {
  if (method !== 'passkey') return { password, ...(method !== undefined && { [method]: code }) };
  // Its challenge is for one use.
  const options = await atrium.auth.getReauthenticationOptions();
  const passkey = options.passkey === null ? null : await askForPasskey(options.passkey);
  return passkey === null ? null : { password, passkey };
}

/** The field that a rejection is about; null when it is about something else. */
function refusedField(error: unknown): 'password' | 'code' | null {
  if (hasCode(error, 'password-wrong')) return 'password';
  return hasCode(error, 'code-wrong') ? 'code' : null;
}
