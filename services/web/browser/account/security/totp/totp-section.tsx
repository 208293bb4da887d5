import type { OwnerProof, SecondFactor, TotpSetup } from '@atrium/client';
import { Badge } from '@mantine/core';
import { useState } from 'react';
import { useToast } from '../../../ui/toasts/toasts.tsx';
import { atrium } from '../../../session/atrium.ts';
import { VerifiedButton } from '../../../session/verified-button.tsx';
import { useAllText } from '../../../texts/signed-in-texts.tsx';
import { Section } from '../../../ui/page/section.tsx';
import { ReauthenticationDialog } from '../../proof/reauthentication-dialog.tsx';
import { methodsOf } from '../../proof/second-factors.ts';
import { TotpSetupDialog } from './totp-setup-dialog.tsx';

/** The authenticator app: set up with a QR code and a first code, or removed. */
export function TotpSection({
  factors,
  onChange,
}: {
  factors: SecondFactor;
  /** A factor needs a verified email address. */
  onChange: (recoveryCodes?: string[] | null) => void;
}) {
  const { proof: proofText, account } = useAllText();
  const { security } = account;
  const { totp } = security;
  const toast = useToast();
  const [isAsking, setAsking] = useState(false);
  const [setup, setSetup] = useState<TotpSetup | null>(null);
  const onProof = async (proof: OwnerProof) => {
    if (factors.totp) {
      await atrium.auth.removeTotp(proof);
      toast(totp.removed);
      onChange();
    } else {
      setSetup(await atrium.auth.startTotpSetup(proof));
    }
    setAsking(false);
  };
  return (
    <Section
      title={totp.title}
      hint={totp.hint}
      badge={<Badge variant="default">{factors.totp ? security.on : security.off}</Badge>}
      action={
        <VerifiedButton variant="default" onClick={() => setAsking(true)}>
          {factors.totp ? totp.remove : totp.setUp}
        </VerifiedButton>
      }
    >
      {isAsking && (
        <ReauthenticationDialog
          title={factors.totp ? totp.removeTitle : totp.setUpTitle}
          explanation={factors.totp ? totp.removeHint : proofText.explanation}
          submit={factors.totp ? totp.remove : totp.setUp}
          isDangerous={factors.totp}
          methods={methodsOf(factors)}
          onProof={onProof}
          onClose={() => setAsking(false)}
        />
      )}
      {setup !== null && (
        <TotpSetupDialog
          setup={setup}
          onClose={() => setSetup(null)}
          onDone={(recoveryCodes) => {
            setSetup(null);
            toast(totp.added);
            onChange(recoveryCodes);
          }}
        />
      )}
    </Section>
  );
}
