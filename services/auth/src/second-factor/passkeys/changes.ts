import type { OwnerProof } from '@atrium/contracts/auth/mfa';
import type { RegistrationCredential } from '@atrium/contracts/auth/passkeys';
import { HttpError, notFound } from '@atrium/service-kit/http-error';
import type { Database } from '../../database.ts';
import type { Requester } from '../../accounts/requester.ts';
import { lockBySession } from '../../accounts/store.ts';
import { type FactorChanges, requireVerified } from '../changes.ts';
import {
  deleteUnneededRecoveryCodes,
  firstRecoveryCodes,
} from '../recovery-codes/recovery-codes.ts';
import { checkRegistration, creationOptions, savePasskey } from './registration.ts';
import type { RelyingParty } from './relying-party.ts';
import { deletePasskey, type PasskeyRow } from './store.ts';

export interface PasskeyDeps {
  database: Database;
  relyingParty: RelyingParty;
  factorChanges: FactorChanges;
  clockMs: () => number;
}

/**
 * Options for the browser. Their challenge permits the account to add one passkey.
 *
 * @throws HttpError 401 when the re-authentication fails, 403 before the address is verified, 409 when
 * the account has 20 passkeys
 */
export function startPasskey(deps: PasskeyDeps, requester: Requester, proof: OwnerProof) {
  return deps.factorChanges.reauthenticate(requester, proof, (tx, account, nowMs) => {
    requireVerified(account);
    return creationOptions(deps, tx, { account, nowMs });
  });
}

/**
 * Adds the credential that the browser made from those options.
 *
 * @returns the passkey, with recovery codes if the account had none
 * @throws HttpError 422 when the credential is invalid, 409 when it is registered already
 */
export async function addPasskey(
  deps: PasskeyDeps,
  requester: Requester,
  { name, credential }: { name: string; credential: RegistrationCredential },
): Promise<{ passkey: PasskeyRow; recoveryCodes: string[] | null }> {
  const { accountId } = requester;
  const nowMs = deps.clockMs();
  const registration = await checkRegistration(deps, credential, { accountId, nowMs });
  return deps.database.transaction(requester.origin, async (tx) => {
    const owner = await lockBySession(tx, requester);
    if (owner === undefined) {
      throw new HttpError('token-invalid');
    }
    const passkey = await savePasskey(tx, registration, { accountId, name, nowMs });
    const recoveryCodes = await firstRecoveryCodes(tx, accountId, nowMs);
    const data = { factor: 'passkey', name };
    const change = { kind: 'factor.added', requester, owner, data, nowMs } as const;
    await deps.factorChanges.record(tx, change);
    return { passkey, recoveryCodes };
  });
}

/** @throws HttpError 401 when the re-authentication fails, 404 when there is no such passkey */
export function removePasskey(
  deps: PasskeyDeps,
  requester: Requester,
  { id, proof }: { id: string; proof: OwnerProof },
): Promise<void> {
  return deps.factorChanges.reauthenticate(requester, proof, async (tx, owner, nowMs) => {
    const { accountId } = requester;
    if (!(await deletePasskey(tx, { id, accountId }))) {
      throw notFound('Passkey');
    }
    await deleteUnneededRecoveryCodes(tx, accountId);
    const data = { factor: 'passkey' };
    const change = { kind: 'factor.removed', requester, owner, data, nowMs } as const;
    await deps.factorChanges.record(tx, change);
  });
}
