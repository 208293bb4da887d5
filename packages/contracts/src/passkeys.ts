import Type, { type Static } from 'typebox';
import { IdSchema } from './ids.ts';
import { NullableTimestamp, Timestamp } from './timestamps.ts';

/** Binary fields travel as base64url (WebAuthn Level 3 section 5.1.8). */
const base64url = (maxLength: number) =>
  Type.String({ minLength: 1, maxLength, pattern: '^[A-Za-z0-9_-]+$' });

/** A credential id has at most 1023 bytes. */
const CredentialId = base64url(1364);
const Transports = Type.Array(Type.String({ maxLength: 32 }), { maxItems: 10 });
const PublicKeyType = Type.Literal('public-key');

/** What `PublicKeyCredential.toJSON()` gives after `navigator.credentials.create()`. */
export const RegistrationCredential = Type.Object({
  id: CredentialId,
  rawId: CredentialId,
  type: PublicKeyType,
  response: Type.Object({
    clientDataJSON: base64url(4096),
    attestationObject: base64url(32_768),
    transports: Type.Optional(Transports),
  }),
});
export type RegistrationCredential = Static<typeof RegistrationCredential>;

/** What `PublicKeyCredential.toJSON()` gives after `navigator.credentials.get()`. */
export const AssertionCredential = Type.Object({
  id: CredentialId,
  rawId: CredentialId,
  type: PublicKeyType,
  response: Type.Object({
    clientDataJSON: base64url(4096),
    authenticatorData: base64url(4096),
    signature: base64url(4096),
    userHandle: Type.Optional(Type.Union([Type.String({ maxLength: 88 }), Type.Null()])),
  }),
});
export type AssertionCredential = Static<typeof AssertionCredential>;

const CredentialDescriptor = Type.Object({
  id: Type.String(),
  type: Type.String(),
  transports: Type.Optional(Type.Array(Type.String())),
});

/** For `PublicKeyCredential.parseCreationOptionsFromJSON()`. */
export const PasskeyCreationOptions = Type.Object({
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
});

/** For `PublicKeyCredential.parseRequestOptionsFromJSON()`. */
export const PasskeyRequestOptions = Type.Object({
  challenge: Type.String(),
  timeout: Type.Optional(Type.Integer({ description: 'Milliseconds' })),
  rpId: Type.Optional(Type.String()),
  allowCredentials: Type.Optional(Type.Array(CredentialDescriptor)),
  userVerification: Type.Optional(Type.String()),
});

const PasskeyName = Type.String({ minLength: 1, maxLength: 100 });

export const Passkey = Type.Object({
  id: IdSchema('psk'),
  name: Type.String(),
  createdAt: Timestamp,
  lastUsedAt: NullableTimestamp,
});

export const AddPasskeyBody = Type.Object(
  { name: PasskeyName, credential: RegistrationCredential },
  { additionalProperties: false },
);
export const RenamePasskeyBody = Type.Object(
  { name: PasskeyName },
  { additionalProperties: false },
);
export const PasskeyLoginBody = Type.Object(
  { credential: AssertionCredential },
  { additionalProperties: false },
);
/** Recovery codes come with an account's first factor, once; otherwise they are null. */
export const AddedPasskey = Type.Object({
  passkey: Passkey,
  recoveryCodes: Type.Union([Type.Array(Type.String()), Type.Null()]),
});
