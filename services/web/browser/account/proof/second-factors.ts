import type { MfaOptions, SecondFactor } from '@atrium/client';
import { useQuery } from '@tanstack/react-query';
import { atrium } from '../../session/atrium.ts';
import { queryKeys } from '../../session/query-keys.ts';

export type Method = MfaOptions['methods'][number];

/** Which second factors the account has. */
export function useSecondFactors() {
  return useQuery({
    queryKey: queryKeys.account.secondFactors,
    queryFn: ({ signal }) => atrium.auth.getSecondFactors({ signal }),
  });
}

/** How the second factor can be proved, the quickest first; none when there is none. */
export function methodsOf({ enabled, totp, passkeys, recoveryCodesLeft }: SecondFactor): Method[] {
  if (!enabled) return [];
  const methods: Method[] = [];
  if (totp) methods.push('code');
  if (passkeys > 0) methods.push('passkey');
  if (recoveryCodesLeft > 0) methods.push('recoveryCode');
  return methods;
}
