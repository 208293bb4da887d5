import type { AssertionCredential } from '@atrium/contracts/auth/passkeys';
import { verifyAuthenticationResponse } from '@simplewebauthn/server';
import type { Database } from '../../database.ts';
import type { ConsumeFactor } from '../factor.ts';
import { type ChallengeUse, consumeChallenge, findChallenge } from './challenge.ts';
import type { RelyingParty } from './relying-party.ts';
import { advanceCounter, findCredential, type StoredCredential } from './store.ts';

const REASON_MAX_CHARACTERS = 200;

export type Assertion =
  | { kind: 'verified'; accountId: string; consume: ConsumeFactor }
  /** The reason is for the audit trail; the client only learns of the rejection. */
  | { kind: 'refused'; accountId: string | null; reason: string };

interface Expected {
  use: ChallengeUse;
  /** Whether a PIN or biometry must have unlocked the passkey. */
  requireUserVerification: boolean;
  nowMs: number;
}

/**
 * Verifies an authenticator's assertion (WebAuthn Level 3 section 7.2): our challenge, origin and
 * relying party, a known credential, its signature, and a counter that has advanced.
 */
export async function checkAssertion(
  deps: { database: Database; relyingParty: RelyingParty },
  credential: AssertionCredential,
  expected: Expected,
): Promise<Assertion> {
  const { clientDataJSON } = credential.response;
  const { use, nowMs } = expected;
  const challenge = await findChallenge(deps.database, use, { clientDataJSON, nowMs });
  if (challenge === undefined) {
    const reason = 'Challenge is unknown, used or expired';
    return { kind: 'refused', accountId: use.accountId, reason };
  }
  const assertion = await checkCredential(deps, credential, { ...expected, challenge });
  if (assertion.kind === 'refused') {
    await consumeChallenge(deps.database, challenge);
  }
  return assertion;
}

async function checkCredential(
  deps: { database: Database; relyingParty: RelyingParty },
  credential: AssertionCredential,
  expected: Expected & { challenge: string },
): Promise<Assertion> {
  const { use, challenge, nowMs } = expected;
  const { userHandle } = credential.response;
  const stored = await findCredential(deps.database, credential.id);
  if (stored === undefined) {
    return { kind: 'refused', accountId: use.accountId, reason: 'Passkey is unknown' };
  }
  const { passkeyId, accountId } = stored;
  // Without an account so far, the passkey must name it (section 7.2, step 6).
  const named =
    typeof userHandle === 'string'
      ? Buffer.from(userHandle, 'base64url').toString()
      : use.accountId;
  if (named !== accountId || (use.accountId ?? accountId) !== accountId) {
    const reason = 'Passkey belongs to another account';
    return { kind: 'refused', accountId: use.accountId, reason };
  }
  const verdict = await verify(deps.relyingParty, credential, { ...expected, stored });
  if (verdict.kind === 'refused') {
    return { ...verdict, accountId };
  }
  const { counter } = verdict;
  return {
    kind: 'verified',
    accountId,
    consume: async (tx) =>
      (await consumeChallenge(tx, challenge)) &&
      (await advanceCounter(tx, { passkeyId, counter, nowMs })),
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
    const reason = error instanceof Error ? error.message : String(error);
    return { kind: 'refused', reason: storable(reason) };
  }
}

/** Its messages quote what the client sent, which may hold characters that Postgres refuses. */
function storable(reason: string): string {
  return reason.slice(0, REASON_MAX_CHARACTERS).replaceAll('\0', '\uFFFD').toWellFormed();
}
