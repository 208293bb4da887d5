import type { PasskeyCreationOptions, RegistrationCredential } from '@atrium/client';

type Outcome =
  | { kind: 'created'; credential: RegistrationCredential }
  /** The person or the browser said no. */
  | { kind: 'declined' }
  /** The device has a passkey for this account. */
  | { kind: 'exists' };

export const canCreatePasskeys = 'PublicKeyCredential' in window;

/** Has the browser create a passkey. */
export async function createPasskey(options: PasskeyCreationOptions): Promise<Outcome> {
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(
    options as PublicKeyCredentialCreationOptionsJSON,
  );
  try {
    const credential = await navigator.credentials.create({ publicKey });
    if (!(credential instanceof PublicKeyCredential)) return { kind: 'declined' };
    return { kind: 'created', credential: credential.toJSON() as RegistrationCredential };
  } catch (error) {
    if (!(error instanceof DOMException)) throw error;
    return { kind: error.name === 'InvalidStateError' ? 'exists' : 'declined' };
  }
}
