import type { OwnerProof } from '@atrium/contracts/mfa';
import type { RegistrationCredential } from '@atrium/contracts/passkeys';
import { notFound, unauthorized } from '@atrium/service-kit/http-error';
import {
  type ChangeDeps,
  dropIdleRecoveryCodes,
  firstRecoveryCodes,
  reportChange,
  requireVerified,
} from '../changes.ts';
import { asOwner, type OwnerClaim, type OwnerDeps } from '../challenges/re-authentication.ts';
import { lockBySession } from '../../accounts/store.ts';
import { checkRegistration, creationOptions, savePasskey } from './registration.ts';
import { deletePasskey, type PasskeyRow } from './store.ts';

export type PasskeyDeps = OwnerDeps & ChangeDeps;

/**
 * Options for the browser, whose challenge is the owner's permission to add one passkey.
 *
 * @throws HttpError 401 when the proof does not hold, 403 before the address is verified, 409 when
 * the account has 20 passkeys
 */
export function startPasskey(deps: PasskeyDeps, claim: OwnerClaim, proof: OwnerProof) {
  return asOwner(deps, claim, proof, (tx, account, nowMs) => {
    requireVerified(account);
    return creationOptions(deps, tx, { account, nowMs });
  });
}

/**
 * Adds what the browser made of those options.
 *
 * @returns recovery codes too, if the account had none
 * @throws HttpError 422 when it does not hold, 409 when it is registered already
 */
export async function addPasskey(
  deps: PasskeyDeps,
  claim: OwnerClaim,
  { name, credential }: { name: string; credential: RegistrationCredential },
): Promise<{ passkey: PasskeyRow; recoveryCodes: string[] | null }> {
  const { accountId } = claim;
  const nowMs = deps.clockMs();
  const registration = await checkRegistration(deps, credential, { accountId, nowMs });
  return deps.database.transaction(async (tx) => {
    const owner = await lockBySession(tx, claim);
    if (owner === undefined) {
      throw unauthorized('Invalid token');
    }
    const passkey = await savePasskey(tx, registration, { accountId, name, nowMs });
    const recoveryCodes = await firstRecoveryCodes(tx, accountId, nowMs);
    const data = { factor: 'passkey', name };
    await reportChange(deps, tx, { kind: 'factor.added', claim, owner, data, nowMs });
    return { passkey, recoveryCodes };
  });
}

/** @throws HttpError 401 when the proof does not hold, 404 when there is no such passkey */
export function removePasskey(
  deps: PasskeyDeps,
  claim: OwnerClaim,
  { id, proof }: { id: string; proof: OwnerProof },
): Promise<void> {
  return asOwner(deps, claim, proof, async (tx, owner, nowMs) => {
    const { accountId } = claim;
    if (!(await deletePasskey(tx, { id, accountId }))) {
      throw notFound('Passkey');
    }
    await dropIdleRecoveryCodes(tx, accountId);
    const data = { factor: 'passkey' };
    await reportChange(deps, tx, { kind: 'factor.removed', claim, owner, data, nowMs });
  });
}
