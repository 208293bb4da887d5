import Type, { type Static } from 'typebox';
import { component } from '../component.ts';

export const Plan = Type.Union([
  Type.Literal('free'),
  Type.Literal('pro'),
  Type.Literal('unlimited'),
]);
export type Plan = Static<typeof Plan>;

/** `iss` and `aud` of every access token. */
export const TOKEN_ISSUER = 'atrium';
export const TOKEN_AUDIENCE = 'atrium';
/** `typ` of its header (RFC 9068), so that no other kind of JWT passes for an access token. */
export const TOKEN_TYPE = 'at+jwt';

/** Claims of the access token, a JWT signed with EdDSA over Ed25519 (RFC 7519, RFC 8037). */
export const AccessTokenClaims = Type.Object({
  iss: Type.String(),
  aud: Type.String(),
  /** Account id. */
  sub: Type.String(),
  /** Session id: every service refuses the tokens of a revoked session. */
  sid: Type.String(),
  plan: Plan,
  /** Whether the account's email address is verified. */
  ev: Type.Boolean(),
  /** Operator: only in tokens of accounts that have the role. */
  op: Type.Optional(Type.Literal(true)),
  /** Only what these allow, separated by spaces (RFC 9068); a session's tokens have none and allow everything. */
  scope: Type.Optional(Type.String()),
  /** The application that it was made for (RFC 9068 section 2.2). */
  client_id: Type.Optional(Type.String()),
  /** Seconds since the epoch. */
  iat: Type.Integer(),
  exp: Type.Integer(),
});
export type AccessTokenClaims = Static<typeof AccessTokenClaims>;

/** An Ed25519 public key of `/.well-known/jwks.json` (RFC 8037), which verifies access tokens. */
export const PublicJwk = Type.Object({
  kty: Type.Literal('OKP'),
  crv: Type.Literal('Ed25519'),
  x: Type.String(),
  kid: Type.String(),
  alg: Type.Literal('EdDSA'),
  use: Type.Literal('sig'),
});
export type PublicJwk = Static<typeof PublicJwk>;

/** An RSA public key (RFC 7518 section 6.3.1), which verifies ID tokens. */
export const RsaPublicJwk = Type.Object({
  kty: Type.Literal('RSA'),
  n: Type.String(),
  e: Type.String(),
  kid: Type.String(),
  alg: Type.Literal('RS256'),
  use: Type.Literal('sig'),
});
export type RsaPublicJwk = Static<typeof RsaPublicJwk>;

export const JsonWebKeySet = component(
  'JsonWebKeySet',
  Type.Object({ keys: Type.Array(Type.Union([PublicJwk, RsaPublicJwk])) }),
  {
    keys: [
      {
        kty: 'OKP',
        crv: 'Ed25519',
        // RFC 8037 appendix A.2.
        x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
        kid: 'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k',
        alg: 'EdDSA',
        use: 'sig',
      },
    ],
  },
);
export type JsonWebKeySet = Static<typeof JsonWebKeySet>;
