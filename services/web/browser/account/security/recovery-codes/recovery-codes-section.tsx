import type { OwnerProof, SecondFactor } from '@atrium/client';
import { Alert, Button, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { atrium } from '../../../session/atrium.ts';
import { useAllText } from '../../../texts/signed-in-texts.tsx';
import { Section } from '../../../ui/page/section.tsx';
import { ReauthenticationDialog } from '../../proof/reauthentication-dialog.tsx';
import { methodsOf } from '../../proof/second-factors.ts';

const FEW = 3;

/** How many recovery codes are left, and new ones. */
export function RecoveryCodesSection({
  factors,
  onChange,
}: {
  factors: SecondFactor;
  onChange: (recoveryCodes: string[]) => void;
}) {
  const { codes } = useAllText().account.security;
  const [isAsking, setAsking] = useState(false);
  const { enabled, recoveryCodesLeft: left } = factors;
  const renew = async (proof: OwnerProof) => {
    const { recoveryCodes } = await atrium.auth.renewRecoveryCodes(proof);
    setAsking(false);
    onChange(recoveryCodes);
  };
  return (
    <Section
      title={codes.title}
      hint={codes.hint}
      action={
        enabled && (
          <Button variant="default" onClick={() => setAsking(true)}>
            {codes.renew}
          </Button>
        )
      }
    >
      <Stack gap="sm">
        <Text size="sm">{enabled ? codes.left(left) : codes.without}</Text>
        {enabled && left <= FEW && <Alert color="yellow">{codes.few}</Alert>}
      </Stack>
      {isAsking && (
        <ReauthenticationDialog
          title={codes.renewTitle}
          explanation={codes.renewHint}
          submit={codes.renew}
          methods={methodsOf(factors)}
          onProof={renew}
          onClose={() => setAsking(false)}
        />
      )}
    </Section>
  );
}
