import { AtriumError } from '@atrium/client';
import { useAuth } from '@atrium/client/react';
import { type ReactNode, useState } from 'react';
import { SessionLate } from '../../session/session-late.tsx';
import { useEmailLinkTexts } from '../../texts/lazy-texts.ts';
import { useText } from '../../texts/texts.tsx';
import { CurrentPassword } from '../../ui/forms/fields.tsx';
import { TokenPage, type TokenPageTexts } from './token-page.tsx';

/**
 * A link that works for the owner of the account only: signed in it needs a button, otherwise the
 * password too.
 */
export function OwnerTokenPage({
  texts,
  act,
  alternative,
  doneAction,
}: {
  texts: TokenPageTexts;
  act: (token: string, proof: { password?: string }) => Promise<unknown>;
  /** For someone who does not know the password. */
  alternative?: (token: string) => ReactNode;
  doneAction?: ReactNode;
}) {
  const { password: passwordTexts } = useEmailLinkTexts();
  const { fields } = useText();
  const { user, isInitializing } = useAuth();
  const [password, setPassword] = useState('');
  const [fault, setFault] = useState<string | null>(null);
  if (isInitializing) return <SessionLate />;
  const proof = user === null ? { password } : {};
  const submit = (token: string) => {
    setFault(null);
    return act(token, proof);
  };
  const onError = (error: unknown) => {
    const isWrong = error instanceof AtriumError && error.status === 401;
    if (isWrong) setFault(passwordTexts.wrong);
    return isWrong;
  };
  const check = () => {
    const isMissing = user === null && password === '';
    if (isMissing) setFault(fields.required(fields.password));
    return !isMissing;
  };
  return (
    <TokenPage
      texts={texts}
      act={submit}
      check={check}
      onError={onError}
      alternative={alternative}
      doneAction={doneAction}
    >
      {user === null && (
        <CurrentPassword
          description={passwordTexts.explanation}
          value={password}
          error={fault}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
      )}
    </TokenPage>
  );
}
