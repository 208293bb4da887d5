import type { AssertionCredential, PasskeyRequestOptions } from '@atrium/client';

/**
 * Asks the browser for one of the person's passkeys.
 * @returns null when they decline
 * @throws the reason of the signal when it is aborted
 */
export async function askForPasskey(
  options: PasskeyRequestOptions,
  request: { signal?: AbortSignal; mediation?: CredentialMediationRequirement } = {},
): Promise<AssertionCredential | null> {
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(
    options as PublicKeyCredentialRequestOptionsJSON,
  );
  try {
    const credential = await navigator.credentials.get({ publicKey, ...request });
    if (!(credential instanceof PublicKeyCredential)) return null;
    return credential.toJSON() as AssertionCredential;
  } catch (error) {
    if (error instanceof DOMException && error.name === 'NotAllowedError') return null;
    throw error;
  }
}

/** Whether the browser can offer passkeys among the suggestions of a field. */
export async function canSuggestPasskeys(): Promise<boolean> {
  if (!('PublicKeyCredential' in window)) return false;
  return (await PublicKeyCredential.isConditionalMediationAvailable?.()) ?? false;
}
