import { newId } from '@atrium/contracts/ids';
import type { RegistrationCredential } from '@atrium/contracts/auth/passkeys';
import { HttpError } from '@atrium/service-kit/http-error';
import {
  generateRegistrationOptions,
  verifyRegistrationResponse,
  type VerifiedRegistrationResponse,
} from '@simplewebauthn/server';
import { COSEALG, decodeAttestationObject, isoBase64URL } from '@simplewebauthn/server/helpers';
import type { Database, Tx } from '../../database.ts';
import { consumeChallenge, findChallenge, issueChallenge } from './challenge.ts';
import type { RelyingParty } from './relying-party.ts';
import { insertPasskey, listCredentials, type PasskeyRow } from './store.ts';

const PASSKEYS_MAX = 20;
/** Every authenticator supports one; Node's post-quantum signatures are still experimental. */
const ALGORITHMS = [COSEALG.EdDSA, COSEALG.ES256, COSEALG.RS256];

export interface RegistrationDeps {
  relyingParty: RelyingParty;
}

export interface Registration {
  credential: NonNullable<VerifiedRegistrationResponse['registrationInfo']>['credential'];
  challenge: string;
}

/**
 * Options for the browser to make a passkey (WebAuthn Level 3 section 7.1).
 *
 * @throws HttpError 409 when the account has 20 passkeys
 */
export async function creationOptions(
  { relyingParty }: RegistrationDeps,
  tx: Tx,
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
    // Returned at a passwordless login; it must not identify a person (section 14.6.1).
    userID: new Uint8Array(Buffer.from(account.id)),
    challenge: await issueChallenge(tx, use, nowMs),
    attestationType: 'none',
    supportedAlgorithmIDs: ALGORITHMS,
    excludeCredentials: credentials,
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
  });
}

/**
 * Verifies a new credential, for `savePasskey`.
 *
 * @throws HttpError 422 when it does not match a challenge of this account, origin and relying party
 */
export async function checkRegistration(
  { database, relyingParty }: RegistrationDeps & { database: Database },
  credential: RegistrationCredential,
  { accountId, nowMs }: { accountId: string; nowMs: number },
): Promise<Registration> {
  const { clientDataJSON } = credential.response;
  const use = { purpose: 'register', accountId } as const;
  const challenge = await findChallenge(database, use, { clientDataJSON, nowMs });
  if (challenge === undefined) {
    throw refused();
  }
  // The library throws for any invalid credential; none of our code runs inside it.
  const verified = await verify(relyingParty, credential, challenge).catch(() => undefined);
  // The signed id is stored; the outer one is the one whose length was checked.
  if (verified?.id !== credential.id) {
    await consumeChallenge(database, challenge);
    throw refused();
  }
  return { credential: verified, challenge };
}

async function verify(
  relyingParty: RelyingParty,
  { id, rawId, type, response }: RegistrationCredential,
  expectedChallenge: string,
): Promise<Registration['credential'] | undefined> {
  const { clientDataJSON, attestationObject, transports } = response;
  if (hasCertificates(attestationObject)) return undefined;
  const { registrationInfo } = await verifyRegistrationResponse({
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
    expectedChallenge,
    expectedOrigin: relyingParty.origin,
    expectedRPID: relyingParty.id,
    requireUserVerification: false,
    supportedAlgorithmIDs: ALGORITHMS,
  });
  return registrationInfo?.credential;
}

/**
 * Asked for no attestation, browsers send none, or one that the passkey has signed itself (WebAuthn Level 3 section
 * 5.1.3). For any other the library would fetch the revocation lists that its certificates name.
 */
function hasCertificates(attestationObject: string): boolean {
  const attestation = decodeAttestationObject(isoBase64URL.toBuffer(attestationObject));
  const format = attestation.get('fmt');
  return format === 'packed'
    ? attestation.get('attStmt').get('x5c') !== undefined
    : format !== 'none';
}

/**
 * Stores a verified passkey. The caller holds the account's lock, so the limit cannot be exceeded.
 *
 * @throws HttpError 422 when a parallel request has consumed the challenge, 409 when the passkey is
 * registered already or the account has 20
 */
export async function savePasskey(
  tx: Tx,
  { credential, challenge }: Registration,
  { accountId, name, nowMs }: { accountId: string; name: string; nowMs: number },
): Promise<PasskeyRow> {
  if (!(await consumeChallenge(tx, challenge))) {
    throw refused();
  }
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
    throw new HttpError('passkey-exists');
  }
  return passkey;
}

function refused() {
  return new HttpError('passkey-unverified');
}

function tooMany() {
  return new HttpError('too-many-passkeys', `An account has at most ${PASSKEYS_MAX} passkeys`);
}
