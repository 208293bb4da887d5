import type { KeyObject } from 'node:crypto';
import {
  AccessTokenClaims,
  TOKEN_AUDIENCE,
  TOKEN_ISSUER,
  TOKEN_TYPE,
  type Plan,
} from '@atrium/contracts/tokens';
import { createDecoder, createVerifier } from 'fast-jwt';
import type { FastifyRequest, onRequestHookHandler, preHandlerHookHandler } from 'fastify';
import { Compile } from 'typebox/compile';
import { emailNotVerified, unauthorized, type HttpError } from './http-error.ts';
import type { KeySet } from './key-set.ts';
import { TokenCache } from './token-cache.ts';

export { createKeySet, type KeySet } from './key-set.ts';

/** Who makes a request, as the access token says. */
export interface Account {
  readonly id: string;
  readonly sessionId: string;
  readonly plan: Plan;
  readonly emailVerified: boolean;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by an authenticator; read it through `accountOf`. */
    account: Account | null;
  }
}

export interface Authenticator {
  /** `onRequest` hook: requires a valid access token and sets `request.account`. */
  readonly authenticate: onRequestHookHandler;
}

interface Verified {
  account: Account;
  expiresAtMs: number;
}

/** Longer tokens are none of ours; refused before any work is done. */
const TOKEN_LENGTH_MAX = 4096;
const CACHED_TOKENS_MAX = 20_000;
/** The longest that auth can be told to give out (`ACCESS_TOKEN_TTL_SECONDS`). */
const LIFETIME_MAX_SECONDS = 86_400;

const claimsCheck = Compile(AccessTokenClaims);
const decode = createDecoder({ complete: true });

/** RFC 6750 section 3: the challenge of a bearer-protected resource. */
function refuse(message: string): HttpError {
  const challenge =
    message === 'Authentication required' ? 'Bearer' : 'Bearer error="invalid_token"';
  return unauthorized(message, { 'www-authenticate': challenge });
}

function bearerToken(header: string | undefined): string {
  if (header === undefined || header === '') {
    throw refuse('Authentication required');
  }
  // The scheme is case-insensitive (RFC 9110 section 11.1).
  const match = /^bearer +([\w.~+/-]+=*) *$/i.exec(header);
  const token = match?.[1];
  if (token === undefined || token.length > TOKEN_LENGTH_MAX) {
    throw refuse('Invalid token');
  }
  return token;
}

function headerOf(token: string): unknown {
  try {
    const decoded: { header: unknown } = decode(token);
    return decoded.header;
  } catch {
    throw refuse('Invalid token');
  }
}

function keyIdOf(token: string): string {
  const header = headerOf(token);
  if (
    typeof header === 'object' &&
    header !== null &&
    'kid' in header &&
    typeof header.kid === 'string'
  ) {
    return header.kid;
  }
  throw refuse('Invalid token');
}

/**
 * Checks access tokens with nothing but the key set. The algorithm is pinned (RFC 8725 section 3.1),
 * as are type, issuer and audience; a token seen before costs one look-up until it expires or the
 * keys change. While the token's key is cached the hook runs synchronously.
 *
 * @param options.issuer the `iss` to accept ('atrium')
 * @param options.isRevoked asked on every request with the session id
 */
export function createAuthenticator(options: {
  keySet: KeySet;
  issuer?: string;
  clockMs?: () => number;
  isRevoked?: (sessionId: string) => boolean;
}): Authenticator {
  const { keySet, issuer = TOKEN_ISSUER, clockMs = Date.now, isRevoked = () => false } = options;
  const cache = new TokenCache<Verified>(CACHED_TOKENS_MAX);
  const verifiers = new WeakMap<KeyObject, (token: string) => unknown>();
  let cacheVersion: number | undefined;

  function verifierOf(key: KeyObject): (token: string) => unknown {
    const known = verifiers.get(key);
    if (known !== undefined) {
      return known;
    }
    const verify: (token: string) => unknown = createVerifier({
      key: key.export({ type: 'spki', format: 'pem' }).toString(),
      algorithms: ['EdDSA'],
      allowedIss: issuer,
      allowedAud: TOKEN_AUDIENCE,
      checkTyp: TOKEN_TYPE,
      requiredClaims: ['iss', 'aud', 'sub', 'sid', 'exp'],
      // Judged below by the clock that was passed in.
      ignoreExpiration: true,
    });
    verifiers.set(key, verify);
    return verify;
  }

  function claimsOf(token: string, key: KeyObject): AccessTokenClaims {
    let payload: unknown;
    try {
      payload = verifierOf(key)(token);
    } catch {
      throw refuse('Invalid token');
    }
    if (!claimsCheck.Check(payload) || payload.exp - payload.iat > LIFETIME_MAX_SECONDS) {
      throw refuse('Invalid token');
    }
    return payload;
  }

  function verify(token: string, key: KeyObject): Verified {
    const claims = claimsOf(token, key);
    const account = {
      id: claims.sub,
      sessionId: claims.sid,
      plan: claims.plan,
      emailVerified: claims.ev,
    };
    const verified = { account, expiresAtMs: claims.exp * 1000 };
    if (clockMs() < verified.expiresAtMs) {
      cache.set(token, verified);
    }
    return verified;
  }

  function admit(request: FastifyRequest, token: string, verified: Verified): void {
    if (clockMs() >= verified.expiresAtMs) {
      cache.delete(token);
      throw refuse('Token expired');
    }
    if (isRevoked(verified.account.sessionId)) {
      throw refuse('Invalid token');
    }
    request.account = verified.account;
  }

  /** What the cache or a cached key can answer; undefined when a key has to be fetched. */
  function verifyNow(token: string): Verified | undefined {
    if (cacheVersion !== keySet.version) {
      // A key may have been withdrawn, and with it every token that it signed.
      cache.clear();
      cacheVersion = keySet.version;
    }
    const cached = cache.get(token);
    if (cached !== undefined) {
      return cached;
    }
    const key = keySet.find(keyIdOf(token));
    return key === undefined ? undefined : verify(token, key);
  }

  /** Fetches the token's key first. Never rejects: what goes wrong is passed to `done`. */
  async function admitLater(
    request: FastifyRequest,
    token: string,
    done: (error?: Error) => void,
  ): Promise<void> {
    try {
      const key = await keySet.load(keyIdOf(token));
      if (key === undefined) {
        throw refuse('Invalid token');
      }
      admit(request, token, verify(token, key));
    } catch (error) {
      done(toError(error));
      return;
    }
    done();
  }

  return {
    authenticate(request, _reply, done) {
      let token: string;
      try {
        token = bearerToken(request.headers.authorization);
        const verified = verifyNow(token);
        if (verified !== undefined) {
          admit(request, token, verified);
          done();
          return;
        }
      } catch (error) {
        done(toError(error));
        return;
      }
      void admitLater(request, token, done);
    },
  };
}

function toError(error: unknown): Error {
  return error instanceof Error ? error : new Error('Authentication failed', { cause: error });
}

/**
 * The account of an authenticated request.
 * @throws HttpError 401 when no authenticator has run
 */
export function accountOf(request: FastifyRequest): Account {
  const { account } = request;
  if (account === null || account === undefined) {
    throw refuse('Authentication required');
  }
  return account;
}

/** `preHandler` hook for sensitive operations: 403 unless the account's e-mail is verified. */
export const requireVerifiedEmail: preHandlerHookHandler = (request, _reply, done) => {
  try {
    done(accountOf(request).emailVerified ? undefined : emailNotVerified());
  } catch (error) {
    done(toError(error));
  }
};
