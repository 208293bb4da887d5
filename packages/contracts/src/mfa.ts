import Type, { type Static } from 'typebox';
import { LoginResponse } from './auth.ts';
import { AssertionCredential, PasskeyRequestOptions } from './passkeys.ts';

/** How long after the password the second step may follow. */
export const MFA_TOKEN_TTL_SECONDS = 300;

/** The answer to a right password when the account has a second factor. */
export const MfaRequired = Type.Object({
  mfaRequired: Type.Literal(true),
  mfaToken: Type.String({ description: 'For POST /auth/mfa, within five minutes' }),
});
export type MfaRequired = Static<typeof MfaRequired>;

export const PasswordLoginResponse = Type.Union([LoginResponse, MfaRequired]);

const MfaToken = Type.String({ minLength: 1, maxLength: 200 });

/** Exactly one of these proves the second factor. */
const secondStep = {
  code: Type.Optional(
    Type.String({ maxLength: 20, description: 'Six digits of the authenticator app' }),
  ),
  recoveryCode: Type.Optional(Type.String({ maxLength: 50 })),
  passkey: Type.Optional(AssertionCredential),
};

export const SecondStep = Type.Object(secondStep);
export type SecondStep = Static<typeof SecondStep>;

export const MfaBody = Type.Object(
  { mfaToken: MfaToken, ...secondStep },
  { additionalProperties: false },
);
export const MfaOptionsBody = Type.Object({ mfaToken: MfaToken }, { additionalProperties: false });

/** What the account can prove its second factor with. */
export const MfaOptions = Type.Object({
  methods: Type.Array(
    Type.Union([Type.Literal('code'), Type.Literal('passkey'), Type.Literal('recoveryCode')]),
  ),
  passkey: Type.Union([PasskeyRequestOptions, Type.Null()]),
});
export type MfaOptions = Static<typeof MfaOptions>;

/** The password, and the second factor too where the account has one: for changes of factors. */
export const OwnerProof = Type.Object(
  { password: Type.String({ minLength: 1, maxLength: 1024 }), ...secondStep },
  { additionalProperties: false },
);
export type OwnerProof = Static<typeof OwnerProof>;

export const SecondFactor = Type.Object({
  /** Whether a login needs a second step. */
  enabled: Type.Boolean(),
  totp: Type.Boolean(),
  passkeys: Type.Integer(),
  recoveryCodesLeft: Type.Integer(),
});

export const TotpSetup = Type.Object({
  secret: Type.String({ description: 'Base32, to be typed where no camera is at hand' }),
  uri: Type.String({ description: 'otpauth://totp/…' }),
  qrCode: Type.String({ description: 'The URI as an SVG image in a data URL' }),
});
export const ConfirmTotpBody = Type.Object(
  { code: Type.String({ minLength: 1, maxLength: 20 }) },
  { additionalProperties: false },
);
/** Recovery codes come with an account's first factor, once; otherwise they are null. */
export const ConfirmedTotp = Type.Object({
  recoveryCodes: Type.Union([Type.Array(Type.String()), Type.Null()]),
});
export const RecoveryCodes = Type.Object({ recoveryCodes: Type.Array(Type.String()) });
