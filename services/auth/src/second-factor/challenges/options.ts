import type { MfaOptions } from '@atrium/contracts/auth/mfa';
import { generateAuthenticationOptions } from '@simplewebauthn/server';
import type { Database } from '../../database.ts';
import { issueChallenge } from '../passkeys/challenge.ts';
import type { RelyingParty } from '../passkeys/relying-party.ts';
import { listCredentials } from '../passkeys/store.ts';
import { findFactors } from '../store.ts';

/** The ways in which an account can prove its second factor, with a challenge for its passkeys. */
export async function mfaOptions(
  { database, relyingParty }: { database: Database; relyingParty: RelyingParty },
  accountId: string,
  nowMs: number,
): Promise<MfaOptions> {
  const factors = await findFactors(database, accountId);
  const methods: MfaOptions['methods'] = [];
  if (factors.totp) methods.push('code');
  if (factors.passkeys > 0) methods.push('passkey');
  if (factors.recoveryCodes > 0) methods.push('recoveryCode');
  if (factors.passkeys === 0) {
    return { methods, passkey: null };
  }
  const use = { purpose: 'second-step', accountId } as const;
  const passkey = await generateAuthenticationOptions({
    rpID: relyingParty.id,
    challenge: await issueChallenge(database, use, nowMs),
    allowCredentials: await listCredentials(database, accountId),
    userVerification: 'preferred',
  });
  return { methods, passkey };
}
