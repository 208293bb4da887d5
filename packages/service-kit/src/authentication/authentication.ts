// Why it is so: docs/decisions/0002-access-tokens-and-their-sessions.md
import type { Scope } from '@atrium/contracts/auth/scope-names';
import type {
  FastifyContextConfig,
  FastifyRequest,
  onRequestHookHandler,
  preHandlerHookHandler,
} from 'fastify';
import { LRUCache } from 'lru-cache';
import { atMost } from '../at-most.ts';
import { HttpError, notFound, unavailable } from '../http-error.ts';
import type { LocalRateLimiter } from '../rate-limit/rate-limit.ts';
import { type Account, bearerToken, keyIdOf, refuse, verify } from './access-token.ts';
import type { KeySet } from './key-set.ts';
import { type ExchangePersonalToken, isPersonalToken, isWellFormed } from './personal-tokens.ts';

export type { Account } from './access-token.ts';
export { createKeySet, type KeySet } from './key-set.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** What a token with scopes needs for the route; 'session' allows none of them. */
    scope?: Scope | 'session';
  }
  interface FastifyRequest {
    /** Set by an authenticator; read it through `accountOf`. */
    account: Account | null;
  }
}

export interface Authenticator {
  /** `onRequest` hook: requires a valid access token and sets `request.account`. */
  readonly authenticate: onRequestHookHandler;
  /** What a token with scopes needs for a route: what the route says, else by the product of the service. */
  readonly scopeOf: (method: string, config?: FastifyContextConfig) => Scope | 'session';
  /** Whether the token of an account that was authenticated earlier is still valid. */
  readonly isCurrent: (account: Pick<Account, 'expiresAtMs' | 'sessionId'>) => boolean;
}

const CACHED_TOKENS_MAX = 20_000;
/** Personal access tokens that auth has refused are not asked for again so soon. */
const REFUSED_TOKENS = { max: 1000, ttl: 10_000 };
/** Personal access tokens that auth is asked for at the same time. */
const EXCHANGES_MAX = 100;
/** New tokens of one IP address: anyone can make up tokens that only auth tells from issued ones. */
const EXCHANGES_PER_ADDRESS = { name: 'new-tokens', limit: 60, windowSeconds: 60 };
/** The product of a service: reads take its read scope, changes its write scope. */
export type Product = 'notes' | 'links' | 'webhooks';

const isReading = (method: string) => method === 'GET' || method === 'HEAD';

/** RFC 6750 section 3.1. */
function insufficientScope(needed: Scope | 'session'): HttpError {
  const isSession = needed === 'session';
  const needs = isSession ? '' : `, scope="${needed}"`;
  const message = isSession
    ? 'Only the token of a login can do this'
    : `The token lacks the scope ${needed}`;
  return new HttpError('insufficient-scope', message, {
    headers: { 'www-authenticate': `Bearer error="insufficient_scope"${needs}` },
  });
}

/**
 * Checks access tokens with nothing but the key set. A token seen before costs one look-up until it
 * expires or the keys change. While the token's key is cached the hook runs synchronously.
 *
 * @param options.isRevoked called with the session id on every request
 * @param options.limiter limits new personal tokens by IP address; undefined while rate limits are off
 */
export function createAuthenticator(options: {
  keySet: KeySet;
  clockMs?: () => number;
  isRevoked: (sessionId: string) => boolean;
  exchange: ExchangePersonalToken;
  product?: Product | undefined;
  limiter?: LocalRateLimiter | undefined;
}): Authenticator {
  const { keySet, clockMs = Date.now, isRevoked, exchange, product, limiter } = options;
  const cache = new LRUCache<string, Account>(atMost(CACHED_TOKENS_MAX));
  const refusedTokens = new LRUCache<string, true>({ ...REFUSED_TOKENS, perf: Date });
  const exchanges = new Map<string, Promise<Account>>();
  let cacheVersion: number | undefined;

  function scopeOf(method: string, config?: FastifyContextConfig): Scope | 'session' {
    const own = product && (`${product}:${isReading(method) ? 'read' : 'write'}` as const);
    return config?.scope ?? own ?? 'session';
  }

  function verifyNew(request: FastifyRequest, token: string, key: string, sent = token): Account {
    const account = verify(request, token, key);
    cache.set(sent, account);
    return account;
  }

  function admit(request: FastifyRequest, token: string, account: Account): void {
    if (clockMs() >= account.expiresAtMs) {
      cache.delete(token);
      throw refuse('token-expired');
    }
    if (isRevoked(account.sessionId)) {
      throw refuse('token-invalid');
    }
    if (account.scopes !== null) {
      const needed = scopeOf(request.method, request.routeOptions.config);
      if (!account.scopes.includes(needed)) throw insufficientScope(needed);
    }
    request.account = account;
  }

  /** Requests with the same token share one exchange. */
  function exchangeOnce(request: FastifyRequest, token: string): Promise<Account> {
    let running = exchanges.get(token);
    if (running === undefined) {
      if (!isWellFormed(token) || refusedTokens.has(token)) throw refuse('token-invalid');
      limiter?.consumeLocally(EXCHANGES_PER_ADDRESS, request.ip);
      if (exchanges.size >= EXCHANGES_MAX) throw unavailable('Too many new tokens at once', 1);
      running = exchangeNew(request, token).finally(() => exchanges.delete(token));
      exchanges.set(token, running);
    }
    return running;
  }

  async function exchangeNew(request: FastifyRequest, token: string): Promise<Account> {
    const accessToken = await exchange(token);
    if (accessToken === undefined) {
      refusedTokens.set(token, true);
      throw refuse('token-invalid');
    }
    return verifyLater(request, accessToken, token);
  }

  /** Fetches its key first. */
  async function verifyLater(
    request: FastifyRequest,
    accessToken: string,
    sent = accessToken,
  ): Promise<Account> {
    const key = await keySet.load(keyIdOf(request, accessToken));
    if (key === undefined) throw refuse('token-invalid');
    return verifyNew(request, accessToken, key, sent);
  }

  /** What the cache or a cached key can answer; undefined when a key has to be fetched. */
  function verifyNow(request: FastifyRequest, token: string): Account | undefined {
    if (cacheVersion !== keySet.version) {
      // A key may have been withdrawn, and with it every token that it signed.
      cache.clear();
      cacheVersion = keySet.version;
    }
    const cached = cache.get(token);
    if (isPersonalToken(token)) {
      // Its access token ends earlier than itself.
      return cached !== undefined && clockMs() < cached.expiresAtMs ? cached : undefined;
    }
    if (cached !== undefined) {
      return cached;
    }
    const key = keySet.find(keyIdOf(request, token));
    return key === undefined ? undefined : verifyNew(request, token, key);
  }

  /** Never rejects: errors are passed to `done`. */
  async function admitLater(
    request: FastifyRequest,
    token: string,
    done: (error?: Error) => void,
  ): Promise<void> {
    try {
      const verifying = isPersonalToken(token) ? exchangeOnce : verifyLater;
      admit(request, token, await verifying(request, token));
    } catch (error) {
      done(toError(error));
      return;
    }
    done();
  }

  return {
    scopeOf,
    isCurrent: ({ expiresAtMs, sessionId }) => clockMs() < expiresAtMs && !isRevoked(sessionId),
    authenticate(request, _reply, done) {
      let token: string;
      try {
        token = bearerToken(request.headers.authorization);
        const account = verifyNow(request, token);
        if (account !== undefined) {
          admit(request, token, account);
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
    throw refuse('token-missing');
  }
  return account;
}

/** `preHandler` hook for sensitive operations: 403 unless the account's email address is verified. */
export const requireVerifiedEmail: preHandlerHookHandler = (request, _reply, done) => {
  try {
    done(accountOf(request).emailVerified ? undefined : new HttpError('email-not-verified'));
  } catch (error) {
    done(toError(error));
  }
};

/**
 * `onRequest` hook after `authenticate`: to everybody but operators the route does not exist. It runs before
 * the request is validated, so that no other answer gives it away.
 */
export const requireOperatorRole: onRequestHookHandler = (request, _reply, done) => {
  try {
    done(accountOf(request).isOperator ? undefined : notFound('Page'));
  } catch (error) {
    done(toError(error));
  }
};
