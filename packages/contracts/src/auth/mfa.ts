import Type, { type Static } from 'typebox';
import { LoginResponse } from './accounts.ts';
import { component } from '../component.ts';
import { AssertionCredential, PasskeyRequestOptions } from './passkeys.ts';

/** How long after the password the second step may follow. */
export const MFA_TOKEN_TTL_SECONDS = 300;

const mfaToken = 'Rk9wq0jTt3v6m1x8a5cE2nL7uYhSgZbD4iPoKdXyW0A';
const password = 'correct horse battery staple';
const recoveryCodes = ['7k2m-9qxt-4wd3', 'b8rv-1hnp-6zs5'];

/** The answer to a correct password when the account has a second factor. */
export const MfaRequired = component(
  'MfaRequired',
  Type.Object({
    mfaRequired: Type.Literal(true),
    mfaToken: Type.String({ description: 'For POST /auth/mfa, within five minutes' }),
  }),
  { mfaRequired: true, mfaToken },
);
export type MfaRequired = Static<typeof MfaRequired>;

export const PasswordLoginResponse = component(
  'PasswordLoginResponse',
  Type.Union([LoginResponse, MfaRequired]),
  { mfaRequired: true, mfaToken },
);

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

export const MfaBody = component(
  'MfaBody',
  Type.Object({ mfaToken: MfaToken, ...secondStep }, { additionalProperties: false }),
  { mfaToken, code: '123456' },
);
export const MfaOptionsBody = component(
  'MfaOptionsBody',
  Type.Object({ mfaToken: MfaToken }, { additionalProperties: false }),
  { mfaToken },
);

/** The ways in which the account can prove its second factor. */
export const MfaOptions = component(
  'MfaOptions',
  Type.Object({
    methods: Type.Array(
      Type.Union([Type.Literal('code'), Type.Literal('passkey'), Type.Literal('recoveryCode')]),
    ),
    passkey: Type.Union([PasskeyRequestOptions, Type.Null()]),
  }),
  { methods: ['code', 'recoveryCode'], passkey: null },
);
export type MfaOptions = Static<typeof MfaOptions>;

/** Re-authentication before a change of factors: the password, and the second factor if one is on. */
export const OwnerProof = component(
  'OwnerProof',
  Type.Object(
    { password: Type.String({ minLength: 1, maxLength: 1024 }), ...secondStep },
    { additionalProperties: false },
  ),
  { password, code: '123456' },
);
export type OwnerProof = Static<typeof OwnerProof>;

export const SecondFactor = component(
  'SecondFactor',
  Type.Object({
    enabled: Type.Boolean({ description: 'Whether a login needs a second step' }),
    totp: Type.Boolean(),
    passkeys: Type.Integer(),
    recoveryCodesLeft: Type.Integer(),
  }),
  { enabled: true, totp: true, passkeys: 1, recoveryCodesLeft: 10 },
);

export const TotpSetup = component(
  'TotpSetup',
  Type.Object({
    secret: Type.String({ description: 'Base32, to be typed where no camera is at hand' }),
    uri: Type.String({ description: 'otpauth://totp/…' }),
    qrCode: Type.String({ description: 'The URI as an SVG image in a data URL' }),
  }),
  {
    secret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
    uri: 'otpauth://totp/Atrium:ada%40example.com?secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&issuer=Atrium',
    qrCode: 'data:image/svg+xml;base64,PHN2ZyB4bWxucz0iaHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmciLz4=',
  },
);
export const ConfirmTotpBody = component(
  'ConfirmTotpBody',
  Type.Object(
    { code: Type.String({ minLength: 1, maxLength: 20 }) },
    { additionalProperties: false },
  ),
  { code: '123456' },
);
/** Recovery codes come once, with the account's first factor; otherwise they are null. */
export const ConfirmedTotp = component(
  'ConfirmedTotp',
  Type.Object({ recoveryCodes: Type.Union([Type.Array(Type.String()), Type.Null()]) }),
  { recoveryCodes },
);
export const RecoveryCodes = component(
  'RecoveryCodes',
  Type.Object({ recoveryCodes: Type.Array(Type.String()) }),
  { recoveryCodes },
);
