import { useAuth } from '@atrium/client/react';
import { Button } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { errorText } from '../../ui/error-text.ts';
import { ButtonLink } from '../../ui/controls/links.tsx';
import { MessagePage } from '../../ui/page/message-page.tsx';
import { atrium } from '../../session/atrium.ts';
import { useEmailLinkTexts } from '../../texts/lazy-texts.ts';
import { useText } from '../../texts/texts.tsx';
import { FormError, hasCode } from '../../ui/forms/form-errors.tsx';
import { emailToken, INVITATION_PATH } from '../email-token.ts';
import { useToast } from '../../ui/toasts/toasts.tsx';
import { OwnerTokenPage } from './owner-token-page.tsx';

/** Where the email of a registration leads. Its reader may not be the one who registered. */
export function VerifyEmailPage() {
  const text = useText();
  const { verify } = useEmailLinkTexts();
  const isInvited = emailToken(INVITATION_PATH) !== null;
  const navigate = useNavigate();
  const toast = useToast();
  const [isResetSent, setResetSent] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const verifyEmail = async (token: string, proof: { password?: string }) => {
    await atrium.auth.verifyEmail(token, proof);
    if (proof.password !== undefined || isInvited) return;
    await navigate({ to: '/', replace: true });
    toast(verify.doneTitle);
  };
  const resetInstead = async (token: string, onDone: () => void) => {
    try {
      await atrium.auth.verifyEmail(token);
      // It was verified already.
      onDone();
    } catch (error) {
      // Without a proof the service sends the owner of the email address a link for a new password.
      if (hasCode(error, 'proof-required')) setResetSent(true);
      else setFailure(errorText(error, text));
    }
  };
  if (isResetSent) return <MessagePage title={verify.resetTitle}>{verify.reset}</MessagePage>;
  return (
    <OwnerTokenPage
      texts={isInvited ? { ...verify, done: verify.doneInvited } : verify}
      act={verifyEmail}
      doneAction={isInvited ? <ToInvitation /> : undefined}
      alternative={(token, onDone) => (
        <>
          <FormError message={failure} />
          <Button variant="subtle" onClick={() => void resetInstead(token, onDone)}>
            {verify.noPassword}
          </Button>
        </>
      )}
    />
  );
}

/** After a login, if one is needed. */
function ToInvitation() {
  const { invitation, logIn } = useEmailLinkTexts();
  const { user } = useAuth();
  return user === null ? (
    <ButtonLink to="/login" search={{ return_to: INVITATION_PATH }}>
      {logIn}
    </ButtonLink>
  ) : (
    <ButtonLink to={INVITATION_PATH}>{invitation.show}</ButtonLink>
  );
}
