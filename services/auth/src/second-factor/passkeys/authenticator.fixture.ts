import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import type { AssertionCredential, RegistrationCredential } from '@atrium/contracts/auth/passkeys';
import { isoCBOR } from '@simplewebauthn/server/helpers';

const USER_PRESENT = 0x01;
const USER_VERIFIED = 0x04;
const ATTESTED_CREDENTIAL_DATA = 0x40;

/** What an honest browser and authenticator would say, to be replaced by what an attacker says. */
export interface Ceremony {
  origin?: string;
  rpId?: string;
  counter?: number;
  isUserVerified?: boolean;
  challenge?: string;
  userHandle?: string;
  attest?: (made: Made) => Attestation;
}

/** What an attestation is about. */
export interface Made {
  privateKey: KeyObject;
  publicKey: KeyObject;
  authenticatorData: Buffer;
  clientDataHash: Buffer;
}

export interface Attestation {
  format: string;
  statement: Map<string, number | Uint8Array | Uint8Array[]>;
}

const noAttestation = (): Attestation => ({ format: 'none', statement: new Map() });

export interface Authenticator {
  create(options: Record<string, unknown>, ceremony?: Ceremony): RegistrationCredential;
  get(options: Record<string, unknown>, ceremony?: Ceremony): AssertionCredential;
}

/** A browser with one ES256 passkey, in software (WebAuthn Level 3 section 6). */
export function startAuthenticator(origin = 'https://web.example'): Authenticator {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const credentialId = randomBytes(32);
  const id = credentialId.toString('base64url');
  const ofBrowser = { id, rawId: id, type: 'public-key' } as const;
  let counter = 0;
  let handle: string | undefined;

  const clientData = (type: string, challenge: unknown, ceremony: Ceremony) =>
    Buffer.from(
      JSON.stringify({
        type,
        challenge: ceremony.challenge ?? challenge,
        origin: ceremony.origin ?? origin,
        crossOrigin: false,
      }),
    );

  const authenticatorData = (ceremony: Ceremony, attested?: Buffer) => {
    counter = ceremony.counter ?? counter + 1;
    const flags =
      USER_PRESENT |
      ((ceremony.isUserVerified ?? true) ? USER_VERIFIED : 0) |
      (attested === undefined ? 0 : ATTESTED_CREDENTIAL_DATA);
    const head = Buffer.alloc(5);
    head.writeUInt8(flags);
    head.writeUInt32BE(counter, 1);
    const rpIdHash = sha256(ceremony.rpId ?? new URL(origin).hostname);
    return Buffer.concat([rpIdHash, head, attested ?? Buffer.alloc(0)]);
  };

  return {
    create(options, ceremony = {}) {
      const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
      // COSE_Key (RFC 9053 section 7.1): kty EC2, alg ES256, crv P-256, x, y.
      const coseKey = isoCBOR.encode(
        new Map<number, number | Uint8Array>([
          [1, 2],
          [3, -7],
          [-1, 1],
          [-2, new Uint8Array(Buffer.from(x, 'base64url'))],
          [-3, new Uint8Array(Buffer.from(y, 'base64url'))],
        ]),
      );
      const length = Buffer.alloc(2);
      length.writeUInt16BE(credentialId.length);
      const attested = Buffer.concat([Buffer.alloc(16), length, credentialId, coseKey]);
      const authData = authenticatorData(ceremony, attested);
      const clientDataJSON = clientData('webauthn.create', options['challenge'], ceremony);
      const { format, statement } = (ceremony.attest ?? noAttestation)({
        privateKey,
        publicKey,
        authenticatorData: authData,
        clientDataHash: sha256(clientDataJSON),
      });
      const attestationObject = isoCBOR.encode(
        new Map<string, string | Attestation['statement'] | Uint8Array>([
          ['fmt', format],
          ['attStmt', statement],
          ['authData', new Uint8Array(authData)],
        ]),
      );
      handle = userIdIn(options);
      return {
        ...ofBrowser,
        response: {
          clientDataJSON: clientDataJSON.toString('base64url'),
          attestationObject: Buffer.from(attestationObject).toString('base64url'),
          transports: ['internal'],
        },
      };
    },
    get(options, ceremony = {}) {
      const data = authenticatorData(ceremony);
      const clientDataJSON = clientData('webauthn.get', options['challenge'], ceremony);
      const signed = Buffer.concat([data, sha256(clientDataJSON)]);
      const userHandle = ceremony.userHandle ?? handle;
      return {
        ...ofBrowser,
        response: {
          clientDataJSON: clientDataJSON.toString('base64url'),
          authenticatorData: data.toString('base64url'),
          signature: sign('sha256', signed, privateKey).toString('base64url'),
          ...(userHandle === undefined ? {} : { userHandle }),
        },
      };
    },
  };
}

function sha256(data: string | Buffer): Buffer {
  return createHash('sha256').update(data).digest();
}

function userIdIn({ user }: Record<string, unknown>): string | undefined {
  return typeof user === 'object' && user !== null && 'id' in user && typeof user.id === 'string'
    ? user.id
    : undefined;
}
