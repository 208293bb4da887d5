import Type, { type Static } from 'typebox';
import { component, exampleId } from '../component.ts';
import { IdSchema } from '../ids.ts';
import { EXAMPLE_TIMESTAMP, NullableTimestamp, Timestamp } from '../timestamps.ts';

/** Binary fields travel as base64url (WebAuthn Level 3 section 5.1.8). */
const base64url = (maxLength: number) =>
  Type.String({ minLength: 1, maxLength, pattern: '^[A-Za-z0-9_-]+$' });

/** A credential id has at most 1023 bytes. */
const CredentialId = base64url(1364);
const Transports = Type.Array(Type.String({ maxLength: 32 }), { maxItems: 10 });
const PublicKeyType = Type.Literal('public-key');

const exampleCredentialId = 'AXvJp0qS2mN8kYtR5uWc3g';
const exampleChallenge = 'q2Vd8LrT0xYpK7sNwB4mZg';
const clientDataJSON = 'eyJ0eXBlIjoid2ViYXV0aG4uZ2V0In0';

/** Browsers add fields that no verification needs, each browser others. */
const OPEN = { additionalProperties: true };

/** What `PublicKeyCredential.toJSON()` gives after `navigator.credentials.create()`. */
export const RegistrationCredential = component(
  'RegistrationCredential',
  Type.Object(
    {
      id: CredentialId,
      rawId: CredentialId,
      type: PublicKeyType,
      response: Type.Object(
        {
          clientDataJSON: base64url(4096),
          attestationObject: base64url(32_768),
          transports: Type.Optional(Transports),
        },
        OPEN,
      ),
    },
    OPEN,
  ),
  {
    id: exampleCredentialId,
    rawId: exampleCredentialId,
    type: 'public-key',
    response: { clientDataJSON, attestationObject: 'o2NmbXRkbm9uZQ', transports: ['internal'] },
  },
);
export type RegistrationCredential = Static<typeof RegistrationCredential>;

const exampleAssertion = {
  id: exampleCredentialId,
  rawId: exampleCredentialId,
  type: 'public-key',
  response: { clientDataJSON, authenticatorData: 'SZYN5YgOjGh0NBcP', signature: 'MEUCIQDf' },
} as const;

/** What `PublicKeyCredential.toJSON()` gives after `navigator.credentials.get()`. */
export const AssertionCredential = component(
  'AssertionCredential',
  Type.Object(
    {
      id: CredentialId,
      rawId: CredentialId,
      type: PublicKeyType,
      response: Type.Object(
        {
          clientDataJSON: base64url(4096),
          authenticatorData: base64url(4096),
          signature: base64url(4096),
          userHandle: Type.Optional(Type.Union([Type.String({ maxLength: 88 }), Type.Null()])),
        },
        OPEN,
      ),
    },
    OPEN,
  ),
  exampleAssertion,
);
export type AssertionCredential = Static<typeof AssertionCredential>;

const CredentialDescriptor = Type.Object({
  id: Type.String(),
  type: Type.String(),
  transports: Type.Optional(Type.Array(Type.String())),
});

/** For `PublicKeyCredential.parseCreationOptionsFromJSON()`. */
export const PasskeyCreationOptions = component(
  'PasskeyCreationOptions',
  Type.Object({
    rp: Type.Object({ id: Type.Optional(Type.String()), name: Type.String() }),
    user: Type.Object({ id: Type.String(), name: Type.String(), displayName: Type.String() }),
    challenge: Type.String(),
    pubKeyCredParams: Type.Array(Type.Object({ type: PublicKeyType, alg: Type.Integer() })),
    timeout: Type.Optional(Type.Integer({ description: 'Milliseconds' })),
    attestation: Type.Optional(Type.String()),
    excludeCredentials: Type.Optional(Type.Array(CredentialDescriptor)),
    authenticatorSelection: Type.Optional(
      Type.Object({
        residentKey: Type.Optional(Type.String()),
        requireResidentKey: Type.Optional(Type.Boolean()),
        userVerification: Type.Optional(Type.String()),
      }),
    ),
  }),
  {
    rp: { id: 'example.com', name: 'Atrium' },
    user: { id: 'dXNyXzAxa3k', name: 'ada@example.com', displayName: 'Ada Lovelace' },
    challenge: exampleChallenge,
    pubKeyCredParams: [{ type: 'public-key', alg: -8 }],
    timeout: 300_000,
  },
);

/** For `PublicKeyCredential.parseRequestOptionsFromJSON()`. */
export const PasskeyRequestOptions = component(
  'PasskeyRequestOptions',
  Type.Object({
    challenge: Type.String(),
    timeout: Type.Optional(Type.Integer({ description: 'Milliseconds' })),
    rpId: Type.Optional(Type.String()),
    allowCredentials: Type.Optional(Type.Array(CredentialDescriptor)),
    userVerification: Type.Optional(Type.String()),
  }),
  { challenge: exampleChallenge, rpId: 'example.com', userVerification: 'required' },
);

const PasskeyName = Type.String({ minLength: 1, maxLength: 100 });
const examplePasskey = {
  id: exampleId('psk'),
  name: 'Laptop',
  createdAt: EXAMPLE_TIMESTAMP,
  lastUsedAt: null,
};

export const Passkey = component(
  'Passkey',
  Type.Object({
    id: IdSchema('psk'),
    name: Type.String(),
    createdAt: Timestamp,
    lastUsedAt: NullableTimestamp,
  }),
  examplePasskey,
);

export const AddPasskeyBody = component(
  'AddPasskeyBody',
  Type.Object(
    { name: PasskeyName, credential: RegistrationCredential },
    { additionalProperties: false },
  ),
  {
    name: 'Laptop',
    credential: {
      id: exampleCredentialId,
      rawId: exampleCredentialId,
      type: 'public-key',
      response: { clientDataJSON, attestationObject: 'o2NmbXRkbm9uZQ' },
    },
  },
);
export const RenamePasskeyBody = component(
  'RenamePasskeyBody',
  Type.Object({ name: PasskeyName }, { additionalProperties: false }),
  { name: 'Work laptop' },
);
export const PasskeyLoginBody = component(
  'PasskeyLoginBody',
  Type.Object({ credential: AssertionCredential }, { additionalProperties: false }),
  { credential: exampleAssertion },
);
/** Recovery codes come once, with the account's first factor; otherwise they are null. */
export const AddedPasskey = component(
  'AddedPasskey',
  Type.Object({
    passkey: Passkey,
    recoveryCodes: Type.Union([Type.Array(Type.String()), Type.Null()]),
  }),
  { passkey: examplePasskey, recoveryCodes: null },
);
