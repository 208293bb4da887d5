import { useAuth } from '@atrium/client/react';
import { type ReactNode, useState } from 'react';
import { SessionLate } from '../../session/session-late.tsx';
import { useEmailLinkTexts } from '../../texts/lazy-texts.ts';
import { useText } from '../../texts/texts.tsx';
import { CurrentPassword } from '../../ui/forms/fields.tsx';
import { hasCode } from '../../ui/forms/form-errors.tsx';
import { TokenPage, type TokenPageProps, type TokenPageTexts } from './token-page.tsx';

/**
 * A link that works for the owner of the account only: signed in to it a button is enough, otherwise the
 * password is needed too.
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
  alternative?: TokenPageProps['alternative'];
  doneAction?: ReactNode;
}) {
  const { password: passwordTexts } = useEmailLinkTexts();
  const { fields } = useText();
  const { user, isInitializing } = useAuth();
  const [password, setPassword] = useState('');
  const [fault, setFault] = useState<string | null>(null);
  const [isOther, setOther] = useState(false);
  if (isInitializing) return <SessionLate />;
  const needsPassword = user === null || isOther;
  const submit = (token: string) => {
    setFault(null);
    return act(token, needsPassword ? { password } : {});
  };
  const onError = (error: unknown) => {
    const isRefused = hasCode(error, 'proof-required');
    if (isRefused) setOther(true);
    else if (!hasCode(error, 'password-wrong')) return false;
    setFault(isRefused ? passwordTexts.other : passwordTexts.wrong);
    return true;
  };
  const check = () => {
    const isMissing = needsPassword && password === '';
    if (isMissing) setFault(fields.required(fields.password));
    return !isMissing;
  };
  return (
    <TokenPage
      texts={texts}
      act={submit}
      check={check}
      onError={onError}
      alternative={needsPassword ? alternative : undefined}
      doneAction={doneAction}
    >
      {needsPassword && (
        <CurrentPassword
          ref={isOther ? takeFocus : undefined}
          description={passwordTexts.explanation}
          value={password}
          error={fault}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
      )}
    </TokenPage>
  );
}

const takeFocus = (input: HTMLInputElement | null) => input?.focus();
