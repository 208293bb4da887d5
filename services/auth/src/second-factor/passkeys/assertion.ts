import type { AssertionCredential } from '@atrium/contracts/passkeys';
import { verifyAuthenticationResponse } from '@simplewebauthn/server';
import type { PrismaClient } from '../../transaction-store.ts';
import type { ConsumeFactor } from '../factor.ts';
import { type ChallengeUse, consumeChallenge } from './challenge.ts';
import type { RelyingParty } from './relying-party.ts';
import { advanceCounter, findCredential, type StoredCredential } from './store.ts';

export type Assertion =
  | { kind: 'verified'; accountId: string; consume: ConsumeFactor }
  /** The reason is for the audit trail; the client only learns of the refusal. */
  | { kind: 'refused'; accountId: string | null; reason: string };

/**
 * Verifies an authenticator's assertion (WebAuthn Level 3 section 7.2): our challenge, origin and
 * relying party, a known credential, its signature, and a counter that has advanced.
 *
 * @param expected.requireUserVerification whether a PIN or biometry must have unlocked the passkey
 */
export async function checkAssertion(
  deps: { prisma: PrismaClient; relyingParty: RelyingParty },
  credential: AssertionCredential,
  expected: { use: ChallengeUse; requireUserVerification: boolean; nowMs: number },
): Promise<Assertion> {
  const { nowMs } = expected;
  const { clientDataJSON, userHandle } = credential.response;
  const challenge = await consumeChallenge(deps.prisma, expected.use, { clientDataJSON, nowMs });
  if (challenge === undefined) {
    return {
      kind: 'refused',
      accountId: expected.use.accountId,
      reason: 'Challenge is unknown, used or expired',
    };
  }
  const stored = await findCredential(deps.prisma, credential.id);
  if (stored === undefined) {
    return { kind: 'refused', accountId: expected.use.accountId, reason: 'Passkey is unknown' };
  }
  const { passkeyId, accountId } = stored;
  // Without an account so far, the passkey must name it (section 7.2, step 6).
  const named =
    typeof userHandle === 'string'
      ? Buffer.from(userHandle, 'base64url').toString()
      : expected.use.accountId;
  if (named !== accountId || (expected.use.accountId ?? accountId) !== accountId) {
    const reason = 'Passkey belongs to another account';
    return { kind: 'refused', accountId: expected.use.accountId, reason };
  }
  const verdict = await verify(deps.relyingParty, credential, { ...expected, challenge, stored });
  if (verdict.kind === 'refused') {
    return { ...verdict, accountId };
  }
  const { counter } = verdict;
  return {
    kind: 'verified',
    accountId,
    consume: (tx) => advanceCounter(tx, { passkeyId, counter, nowMs }),
  };
}

async function verify(
  relyingParty: RelyingParty,
  { id, rawId, type, response }: AssertionCredential,
  expected: { challenge: string; stored: StoredCredential; requireUserVerification: boolean },
): Promise<{ kind: 'verified'; counter: number } | { kind: 'refused'; reason: string }> {
  const { clientDataJSON, authenticatorData, signature } = response;
  const { credentialId, publicKey, counter } = expected.stored;
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: {
        id,
        rawId,
        type,
        response: { clientDataJSON, authenticatorData, signature },
        clientExtensionResults: {},
      },
      expectedChallenge: expected.challenge,
      expectedOrigin: relyingParty.origin,
      expectedRPID: relyingParty.id,
      credential: { id: credentialId, publicKey, counter },
      requireUserVerification: expected.requireUserVerification,
    });
    return verified
      ? { kind: 'verified', counter: authenticationInfo.newCounter }
      : { kind: 'refused', reason: 'Signature is wrong' };
  } catch (error) {
    // The library throws for any invalid credential; none of our code runs inside it.
    return { kind: 'refused', reason: error instanceof Error ? error.message : String(error) };
  }
}
