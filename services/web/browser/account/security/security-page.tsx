import type { SecondFactor } from '@atrium/client';
import { Skeleton, Stack } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { queryKeys } from '../../session/query-keys.ts';
import { Loaded } from '../../ui/page/loaded.tsx';
import { VerifyEmailNotice } from '../../session/verify-email-notice.tsx';
import { useAllText } from '../../texts/signed-in-texts.tsx';
import { AccountPage } from '../account-page.tsx';
import { PasskeysSection } from './passkeys/passkeys-section.tsx';
import { PasswordSection } from './password-section.tsx';
import { RecoveryCodesDialog } from './recovery-codes/recovery-codes-dialog.tsx';
import { RecoveryCodesSection } from './recovery-codes/recovery-codes-section.tsx';
import { ProvidersSection } from './providers-section.tsx';
import { methodsOf, useSecondFactors } from '../proof/second-factors.ts';
import { TotpSection } from './totp/totp-section.tsx';

export function SecurityPage() {
  const { security } = useAllText().account;
  const factors = useSecondFactors();
  return (
    <AccountPage title={security.title}>
      <PasswordSection />
      <VerifyEmailNotice why={security.verifyFirst} />
      <Loaded query={factors} skeleton={<FactorsSkeleton />}>
        {(data) => <Factors factors={data} />}
      </Loaded>
    </AccountPage>
  );
}

function Factors({ factors }: { factors: SecondFactor }) {
  const queryClient = useQueryClient();
  const [codes, setCodes] = useState<string[] | null>(null);
  /** The first factor comes with recovery codes, which are shown once. */
  const onChange = (recoveryCodes: string[] | null = null) => {
    setCodes(recoveryCodes);
    void queryClient.invalidateQueries({ queryKey: queryKeys.account.secondFactors });
  };
  return (
    <>
      <TotpSection factors={factors} onChange={onChange} />
      <PasskeysSection factors={factors} onChange={onChange} />
      <RecoveryCodesSection factors={factors} onChange={onChange} />
      <ProvidersSection methods={methodsOf(factors)} />
      {codes !== null && <RecoveryCodesDialog codes={codes} onClose={() => setCodes(null)} />}
    </>
  );
}

function FactorsSkeleton() {
  return (
    <Stack>
      <Skeleton h={96} />
      <Skeleton h={140} />
      <Skeleton h={96} />
    </Stack>
  );
}
