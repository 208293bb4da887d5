import type { OwnerProof } from '@atrium/client';
import { TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { Loaded } from '../../ui/page/loaded.tsx';
import { atrium } from '../../session/atrium.ts';
import { useUser } from '../../session/user.ts';
import { useAllText } from '../../texts/signed-in-texts.tsx';
import { ReauthenticationDialog } from '../proof/reauthentication-dialog.tsx';
import { methodsOf, useSecondFactors } from '../proof/second-factors.ts';

/** Asks for the username and for the owner; then every session of the account has ended. */
export function DeleteAccountDialog({ onClose }: { onClose: () => void }) {
  const { data } = useAllText().account;
  const navigate = useNavigate();
  const { username } = useUser();
  const factors = useSecondFactors();
  const [typed, setTyped] = useState('');
  const [error, setError] = useState<string | null>(null);
  const input = useRef<HTMLInputElement>(null);
  const validate = () => {
    const isTyped = typed.trim() === username;
    setError(isTyped ? null : data.usernameDiffers);
    if (!isTyped) input.current?.focus();
    return isTyped;
  };
  const remove = async (proof: OwnerProof) => {
    const { erasesAt } = await atrium.auth.deleteCurrentUser(proof);
    // Away first: a page that loses its session asks for a login.
    await navigate({ to: '/account/deleted', state: { erasesAt } });
    await atrium.auth.logOut();
  };
  return (
    <Loaded query={factors} skeleton={null}>
      {(loaded) => (
        <ReauthenticationDialog
          title={data.deleteTitle}
          explanation={data.deleteWarning}
          submit={data.delete}
          isDangerous
          methods={methodsOf(loaded)}
          validate={validate}
          onProof={remove}
          onClose={onClose}
        >
          <TextInput
            ref={input}
            label={data.typeUsername(username)}
            value={typed}
            error={error}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            data-autofocus
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
        </ReauthenticationDialog>
      )}
    </Loaded>
  );
}
