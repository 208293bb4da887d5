import {
  type AccessTokenClaims,
  type Plan,
  TOKEN_AUDIENCE,
  TOKEN_ISSUER,
  TOKEN_TYPE,
} from '@atrium/contracts/tokens';
import type { Server } from '@atrium/service-kit/server';
import type { SigningKeys } from './signing-keys.ts';

export interface TokenSubject {
  accountId: string;
  sessionId: string;
  plan: Plan;
  emailVerified: boolean;
  /** The end of the session, which no token outlives; a login's is farther than any token's. */
  endsAtMs?: number;
}

export type IssueAccessToken = (subject: TokenSubject, nowMs: number) => string;

/** @param options.jwt the server's token plugin */
export function createTokenIssuer(options: {
  jwt: Server['jwt'];
  signingKeys: Pick<SigningKeys, 'current'>;
  ttlSeconds: number;
}): IssueAccessToken {
  const { jwt, signingKeys, ttlSeconds } = options;
  return (subject, nowMs) => {
    const { kid, privateKey: key } = signingKeys.current();
    const iat = Math.floor(nowMs / 1000);
    const claims: AccessTokenClaims = {
      iss: TOKEN_ISSUER,
      aud: TOKEN_AUDIENCE,
      sub: subject.accountId,
      sid: subject.sessionId,
      plan: subject.plan,
      ev: subject.emailVerified,
      iat,
      exp: Math.min(iat + ttlSeconds, Math.floor((subject.endsAtMs ?? Infinity) / 1000)),
    };
    return jwt.sign(claims, { key, kid, header: { alg: 'EdDSA', typ: TOKEN_TYPE } });
  };
}
