import {
  type AccessTokenClaims,
  type Plan,
  TOKEN_AUDIENCE,
  TOKEN_ISSUER,
  TOKEN_TYPE,
} from '@atrium/contracts/auth/tokens';
import { createSigner } from 'fast-jwt';
import type { SigningKey, SigningKeys } from './signing-keys.ts';

export interface TokenSubject {
  accountId: string;
  email: string;
  sessionId: string;
  plan: Plan;
  emailVerified: boolean;
  /** The end of the session, which no token outlives; a login's is farther than any token's. */
  endsAtMs?: number;
  /** What the token may be used for; a session's may do everything. */
  scopes?: readonly string[];
}

export type IssueAccessToken = (subject: TokenSubject, nowMs: number) => Promise<string>;

export function createTokenIssuer(options: {
  signingKeys: Pick<SigningKeys, 'current'>;
  ttlSeconds: number;
  hasOperatorRole: (subject: TokenSubject) => Promise<boolean>;
}): IssueAccessToken {
  const { signingKeys, ttlSeconds, hasOperatorRole } = options;
  // Kept as long as its key signs: making it parses the key, which takes twice as long as a signature.
  let signer: { kid: string; sign: (claims: AccessTokenClaims) => string } | undefined;

  function signerOf({ kid, privateKey: key }: SigningKey) {
    if (signer?.kid !== kid) {
      const header = { alg: 'EdDSA', typ: TOKEN_TYPE } as const;
      signer = { kid, sign: createSigner({ algorithm: 'EdDSA', key, kid, header }) };
    }
    return signer.sign;
  }

  const roleOf = async (subject: TokenSubject) =>
    (await hasOperatorRole(subject)) ? ({ op: true } as const) : {};

  return async (subject, nowMs) => {
    const iat = Math.floor(nowMs / 1000);
    const claims: AccessTokenClaims = {
      iss: TOKEN_ISSUER,
      aud: TOKEN_AUDIENCE,
      sub: subject.accountId,
      sid: subject.sessionId,
      plan: subject.plan,
      ev: subject.emailVerified,
      ...(subject.scopes === undefined
        ? await roleOf(subject)
        : { scope: subject.scopes.join(' ') }),
      iat,
      exp: Math.min(iat + ttlSeconds, Math.floor((subject.endsAtMs ?? Infinity) / 1000)),
    };
    return signerOf(signingKeys.current())(claims);
  };
}
