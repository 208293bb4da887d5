import { sign } from 'node:crypto';
import {
  type AccessTokenClaims,
  type Plan,
  TOKEN_AUDIENCE,
  TOKEN_ISSUER,
  TOKEN_TYPE,
} from '@atrium/contracts/tokens';
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

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** A JWS in compact form (RFC 7515 section 7.1) with EdDSA over Ed25519 (RFC 8037). */
export function createTokenIssuer(options: {
  signingKeys: Pick<SigningKeys, 'current'>;
  ttlSeconds: number;
}): IssueAccessToken {
  const { signingKeys, ttlSeconds } = options;
  return (subject, nowMs) => {
    const key = signingKeys.current();
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
    const header = encode({ alg: 'EdDSA', typ: TOKEN_TYPE, kid: key.kid });
    const signed = `${header}.${encode(claims)}`;
    return `${signed}.${sign(null, Buffer.from(signed), key.privateKey).toString('base64url')}`;
  };
}
