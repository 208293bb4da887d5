import { AccessTokenClaims, type Plan } from '@atrium/contracts/auth/tokens';
import type { FastifyRequest } from 'fastify';
import Type from 'typebox';
import { Compile } from 'typebox/compile';
import { HttpError } from '../http-error.ts';

/** The account that makes a request, from the claims of its access token. */
export interface Account {
  readonly id: string;
  readonly sessionId: string;
  readonly plan: Plan;
  readonly emailVerified: boolean;
  readonly isOperator: boolean;
  /** What its token may be used for; null for a session of a person, which may do everything. */
  readonly scopes: readonly string[] | null;
  /** The application that its token was made for; null for a session and a personal token. */
  readonly applicationId: string | null;
  /** When its access token expires, in Unix milliseconds. */
  readonly expiresAtMs: number;
}

/** Auth issues no longer tokens; one is refused before any work is done. */
const TOKEN_LENGTH_MAX = 4096;
/** The longest lifetime that auth can be configured to issue (`ACCESS_TOKEN_TTL_SECONDS`). */
const LIFETIME_MAX_SECONDS = 86_400;

const claimsCheck = Compile(AccessTokenClaims);
const keyIdCheck = Compile(Type.Object({ header: Type.Object({ kid: Type.String() }) }));

/** RFC 6750 section 3: the challenge of a bearer-protected resource. */
export function refuse(code: 'token-missing' | 'token-invalid' | 'token-expired'): HttpError {
  const challenge = code === 'token-missing' ? 'Bearer' : 'Bearer error="invalid_token"';
  return new HttpError(code, undefined, { headers: { 'www-authenticate': challenge } });
}

export function bearerToken(header: string | undefined): string {
  if (header === undefined || header === '') {
    throw refuse('token-missing');
  }
  // The scheme is case-insensitive (RFC 9110 section 11.1).
  const match = /^bearer +([\w.~+/-]+=*) *$/i.exec(header);
  const token = match?.[1];
  if (token === undefined || token.length > TOKEN_LENGTH_MAX) {
    throw refuse('token-invalid');
  }
  return token;
}

export function keyIdOf({ server }: FastifyRequest, token: string): string {
  let decoded: unknown;
  try {
    decoded = server.jwt.decode(token);
  } catch {
    throw refuse('token-invalid');
  }
  if (!keyIdCheck.Check(decoded)) {
    throw refuse('token-invalid');
  }
  return decoded.header.kid;
}

/** Verifies the signature and the claims as `JWT_OPTIONS` of the server say. */
export function verify({ server }: FastifyRequest, token: string, key: string): Account {
  let claims: unknown;
  try {
    claims = server.jwt.verify(token, { key });
  } catch {
    throw refuse('token-invalid');
  }
  if (!claimsCheck.Check(claims) || claims.exp - claims.iat > LIFETIME_MAX_SECONDS) {
    throw refuse('token-invalid');
  }
  const { sub: id, sid: sessionId, plan, ev: emailVerified, op: isOperator = false } = claims;
  const scopes = claims.scope?.split(' ') ?? null;
  return {
    id,
    sessionId,
    plan,
    emailVerified,
    isOperator,
    scopes,
    applicationId: claims.client_id ?? null,
    expiresAtMs: claims.exp * 1000,
  };
}
