import { AtriumError } from '@atrium/client';
import { Button } from '@mantine/core';
import { useState } from 'react';
import { errorText } from '../frame/error-text.ts';
import { MessagePage } from '../frame/message-page.tsx';
import { atrium } from '../session/atrium.ts';
import { useEmailLinkTexts } from '../texts/lazy-texts.ts';
import { useText } from '../texts/texts.tsx';
import { FormError } from '../forms/form-errors.tsx';
import { OwnerTokenPage } from './owner-token-page.tsx';

/** Where the email of a registration leads. Its reader may not be the one who registered. */
export function VerifyEmailPage() {
  const text = useText();
  const { verify } = useEmailLinkTexts();
  const [isResetSent, setResetSent] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const resetInstead = async (token: string) => {
    try {
      await atrium.auth.verifyEmail(token);
    } catch (error) {
      // Without a proof the service sends the owner of the address a link for a new password.
      if (error instanceof AtriumError && error.status === 403) setResetSent(true);
      else setFailure(errorText(error, text));
    }
  };
  if (isResetSent) return <MessagePage title={verify.resetTitle}>{verify.reset}</MessagePage>;
  return (
    <OwnerTokenPage
      texts={verify}
      act={(token, proof) => atrium.auth.verifyEmail(token, proof)}
      alternative={(token) => (
        <>
          <FormError message={failure} />
          <Button variant="subtle" onClick={() => void resetInstead(token)}>
            {verify.noPassword}
          </Button>
        </>
      )}
    />
  );
}
