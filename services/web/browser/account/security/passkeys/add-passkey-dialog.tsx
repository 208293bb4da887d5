import type { OwnerProof, SecondFactor } from '@atrium/client';
import { TextInput } from '@mantine/core';
import { useRef, useState } from 'react';
import { FormError } from '../../../ui/forms/form-errors.tsx';
import { atrium } from '../../../session/atrium.ts';
import { useAllText } from '../../../texts/signed-in-texts.tsx';
import { ReauthenticationDialog } from '../../proof/reauthentication-dialog.tsx';
import { methodsOf } from '../../proof/second-factors.ts';
import { createPasskey } from './create-passkey.ts';
import { PASSKEY_NAME_LENGTH_MAX } from './rename-passkey-dialog.tsx';

/** Asks for a name and for the owner, then the browser for the passkey. */
export function AddPasskeyDialog({
  factors,
  onAdded,
  onClose,
}: {
  factors: SecondFactor;
  onAdded: (name: string, recoveryCodes: string[] | null) => void;
  onClose: () => void;
}) {
  const text = useAllText();
  const { passkeys } = text.account.security;
  const [name, setName] = useState(passkeys.defaultName);
  const [nameError, setNameError] = useState<string | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const nameInput = useRef<HTMLInputElement>(null);
  const validate = () => {
    const isNamed = name.trim() !== '';
    setNameError(isNamed ? null : text.fields.required(passkeys.name));
    if (!isNamed) nameInput.current?.focus();
    return isNamed;
  };
  const add = async (proof: OwnerProof) => {
    setFailure(null);
    const outcome = await createPasskey(await atrium.auth.startPasskeyRegistration(proof));
    if (outcome.kind !== 'created') return setFailure(passkeys[outcome.kind]);
    const body = { name: name.trim(), credential: outcome.credential };
    const { passkey, recoveryCodes } = await atrium.auth.addPasskey(body);
    onAdded(passkey.name, recoveryCodes);
  };
  return (
    <ReauthenticationDialog
      title={passkeys.addTitle}
      explanation={passkeys.hint}
      submit={passkeys.add}
      methods={methodsOf(factors)}
      validate={validate}
      onProof={add}
      onClose={onClose}
    >
      <FormError message={failure} />
      <TextInput
        ref={nameInput}
        label={passkeys.name}
        description={passkeys.nameHint}
        value={name}
        error={nameError}
        maxLength={PASSKEY_NAME_LENGTH_MAX}
        autoComplete="off"
        data-autofocus
        onChange={(event) => setName(event.currentTarget.value)}
      />
    </ReauthenticationDialog>
  );
}
