import { generateKeyPairSync, type KeyObject, randomUUID, sign } from 'node:crypto';
import type { CurrentUser } from '@atrium/contracts/auth/accounts';
import { newId } from '@atrium/contracts/ids';
import {
  type AccessTokenClaims,
  type JsonWebKeySet,
  type Plan,
  TOKEN_AUDIENCE,
  TOKEN_ISSUER,
  TOKEN_TYPE,
} from '@atrium/contracts/auth/tokens';
import {
  REVOKED_SESSIONS_PATH,
  type RevokedSessionsPage,
} from '@atrium/contracts/auth/revoked-sessions';
import { listen } from './http-listener.ts';

export interface TokenOptions {
  /** The account; a new one by default. */
  sub?: string;
  /** The session; a new one by default. */
  sid?: string;
  /** Whether the email address is verified; true by default. */
  ev?: boolean;
  plan?: Plan;
  /** Whether the account is an operator; false by default. */
  isOperator?: boolean;
  /** What it allows, separated by spaces; everything by default. */
  scope?: string;
  /** The application that it was made for; none by default. */
  applicationId?: string;
  /** Negative for a token that has expired; 900 by default. */
  expiresInSeconds?: number;
}

export interface TokenIssuer extends AsyncDisposable {
  /** Stands in for the auth service's own address. */
  origin: string;
  jwksUrl: string;
  issueToken(options?: TokenOptions): string;
}

const NONE_REVOKED: RevokedSessionsPage = { sessions: [], nextCursor: '0', hasMore: false };

/** Stands in for auth: serves a key set and signs access tokens that verify against it. */
export async function startTokenIssuer(): Promise<TokenIssuer> {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const kid = randomUUID();
  const keySet: JsonWebKeySet = {
    keys: [
      {
        kty: 'OKP',
        crv: 'Ed25519',
        x: publicKey.export({ format: 'jwk' }).x ?? '',
        kid,
        alg: 'EdDSA',
        use: 'sig',
      },
    ],
  };
  const server = await listen((request, response) => {
    const found = new Map<string | undefined, object | undefined>([
      ['/.well-known/jwks.json', keySet],
      [REVOKED_SESSIONS_PATH, NONE_REVOKED],
      ['/user/me', currentUser(request.headers.authorization)],
    ]).get(request.url?.split('?', 1)[0]);
    response.writeHead(found === undefined ? 404 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(found ?? { error: 'Not Found', message: 'Not found' }));
  });
  return {
    origin: server.url,
    jwksUrl: `${server.url}/.well-known/jwks.json`,
    issueToken: (options = {}) =>
      signToken({ alg: 'EdDSA', typ: TOKEN_TYPE, kid }, claimsOf(options), privateKey),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

/** The address that this stand-in for auth says an account has. */
export function emailAddressOf(accountId: string): string {
  return `${accountId}@example.com`;
}

/** Believes the token: the service that asks has verified it. */
function currentUser(authorization = ''): CurrentUser | undefined {
  const payload = authorization.split('.')[1];
  if (payload === undefined) return undefined;
  const { sub: id } = JSON.parse(Buffer.from(payload, 'base64url').toString());
  return {
    id,
    name: 'Somebody',
    username: 'somebody',
    email: emailAddressOf(id),
    bio: '',
    avatar: null,
    profileLinks: [],
    emailVerified: true,
    createdAt: new Date(0).toISOString(),
  };
}

function claimsOf(options: TokenOptions): AccessTokenClaims {
  const now = Math.floor(Date.now() / 1000);
  const lifetimeSeconds = options.expiresInSeconds ?? 900;
  return {
    iss: TOKEN_ISSUER,
    aud: TOKEN_AUDIENCE,
    sub: options.sub ?? newId('usr'),
    sid: options.sid ?? newId('ses'),
    plan: options.plan ?? 'free',
    ev: options.ev ?? true,
    ...(options.isOperator === true ? { op: true } : {}),
    ...(options.scope === undefined ? {} : { scope: options.scope }),
    ...(options.applicationId === undefined ? {} : { client_id: options.applicationId }),
    iat: Math.min(now, now + lifetimeSeconds),
    exp: now + lifetimeSeconds,
  };
}

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** A JWS in compact form (RFC 7515 section 7.1), signed with EdDSA whatever the header says. */
export function signToken(header: object, claims: object, privateKey: KeyObject): string {
  const signed = `${encode(header)}.${encode(claims)}`;
  return `${signed}.${sign(null, Buffer.from(signed), privateKey).toString('base64url')}`;
}
