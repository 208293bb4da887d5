import { newId } from '@atrium/contracts/ids';
import type { RegistrationCredential } from '@atrium/contracts/passkeys';
import type { Sql } from '@atrium/service-kit/database';
import { conflict, validationError } from '@atrium/service-kit/http-error';
import {
  generateRegistrationOptions,
  verifyRegistrationResponse,
  type VerifiedRegistrationResponse,
} from '@simplewebauthn/server';
import { COSEALG } from '@simplewebauthn/server/helpers';
import { issueChallenge, takeChallenge } from './challenge.ts';
import type { RelyingParty } from './relying-party.ts';
import { insertPasskey, listCredentials, type PasskeyRow } from './store.ts';

const PASSKEYS_MAX = 20;
/** Every authenticator has one of these; Node's post-quantum signatures are still experimental. */
const ALGORITHMS = [COSEALG.EdDSA, COSEALG.ES256, COSEALG.RS256];

export interface RegistrationDeps {
  relyingParty: RelyingParty;
}

type RegistrationInfo = NonNullable<VerifiedRegistrationResponse['registrationInfo']>;

/**
 * What the browser needs to make a passkey (WebAuthn Level 3 section 7.1).
 *
 * @throws HttpError 409 when the account has 20 passkeys
 */
export async function creationOptions(
  { relyingParty }: RegistrationDeps,
  tx: Sql,
  { account, nowMs }: { account: { id: string; name: string; email: string }; nowMs: number },
) {
  const credentials = await listCredentials(tx, account.id);
  if (credentials.length >= PASSKEYS_MAX) {
    throw tooMany();
  }
  const use = { purpose: 'register', accountId: account.id } as const;
  return generateRegistrationOptions({
    rpName: relyingParty.name,
    rpID: relyingParty.id,
    userName: account.email,
    userDisplayName: account.name,
    // Comes back at a passwordless login; it must not say who somebody is (section 14.6.1).
    userID: new Uint8Array(Buffer.from(account.id)),
    challenge: await issueChallenge(tx, use, nowMs),
    attestationType: 'none',
    supportedAlgorithmIDs: ALGORITHMS,
    excludeCredentials: credentials,
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
  });
}

/**
 * Checks what an authenticator made, for `savePasskey`.
 *
 * @throws HttpError 422 when it does not answer a challenge of this account, origin and relying party
 */
export async function checkRegistration(
  { database, relyingParty }: RegistrationDeps & { database: Sql },
  credential: RegistrationCredential,
  { accountId, nowMs }: { accountId: string; nowMs: number },
): Promise<RegistrationInfo> {
  const { id, rawId, type, response } = credential;
  const { clientDataJSON, attestationObject, transports } = response;
  const use = { purpose: 'register', accountId } as const;
  const challenge = await takeChallenge(database, use, { clientDataJSON, nowMs });
  if (challenge === undefined) {
    throw refused();
  }
  const verification = await verifyRegistrationResponse({
    response: {
      id,
      rawId,
      type,
      response: {
        clientDataJSON,
        attestationObject,
        ...(transports === undefined ? {} : { transports }),
      },
      clientExtensionResults: {},
    },
    expectedChallenge: challenge,
    expectedOrigin: relyingParty.origin,
    expectedRPID: relyingParty.id,
    requireUserVerification: false,
    supportedAlgorithmIDs: ALGORITHMS,
  }).catch(() => {
    // The library throws for whatever is wrong with a credential; nothing of ours runs inside it.
    throw refused();
  });
  // The id inside is the one that is stored, the id outside the one whose length was checked.
  if (!verification.verified || verification.registrationInfo.credential.id !== id) {
    throw refused();
  }
  return verification.registrationInfo;
}

/**
 * Stores a checked passkey. The caller holds the account's lock, so the number stays within bounds.
 *
 * @throws HttpError 409 when it is registered already, or the account has 20
 */
export async function savePasskey(
  tx: Sql,
  { credential }: RegistrationInfo,
  { accountId, name, nowMs }: { accountId: string; name: string; nowMs: number },
): Promise<PasskeyRow> {
  if ((await listCredentials(tx, accountId)).length >= PASSKEYS_MAX) {
    throw tooMany();
  }
  const passkey = await insertPasskey(tx, {
    id: newId('psk', nowMs),
    accountId,
    credentialId: credential.id,
    publicKey: credential.publicKey,
    counter: credential.counter,
    transports: credential.transports ?? [],
    name,
    nowMs,
  });
  if (passkey === undefined) {
    throw conflict('Passkey is already registered');
  }
  return passkey;
}

function refused() {
  return validationError('Passkey could not be verified, please try again');
}

function tooMany() {
  return conflict(`An account has at most ${PASSKEYS_MAX} passkeys`);
}
