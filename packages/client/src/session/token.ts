/** An access token with what the client needs to know of its claims. */
export interface Token {
  value: string;
  accountId: string;
  sessionId: string;
  emailVerified: boolean;
  isOperator: boolean;
  /** Seconds, by the clock of the service: tells which of two tokens is newer. */
  issuedAt: number;
  /** Milliseconds, by the clock of this device. */
  receivedAtMs: number;
  lifetimeMs: number;
}

const MARGIN_MAX_MS = 30_000;

/**
 * Reads a token that was asked for at this time. Its lifetime counts from then by our own clock, so
 * that it does not matter when that clock is wrong.
 */
export function readToken(value: string, receivedAtMs: number): Token {
  const payload = value.split('.')[1] ?? '';
  const claims = JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/')));
  return {
    value,
    accountId: claims.sub,
    sessionId: claims.sid,
    emailVerified: claims.ev,
    isOperator: claims.op === true,
    issuedAt: claims.iat,
    receivedAtMs,
    lifetimeMs: (claims.exp - claims.iat) * 1000,
  };
}

/** Whether it is used as it is: not so shortly before it expires, or when the clock was set back. */
export function isFresh(token: Token | null): token is Token {
  if (token === null) return false;
  const ageMs = Date.now() - token.receivedAtMs;
  const marginMs = Math.min(MARGIN_MAX_MS, token.lifetimeMs / 10);
  return ageMs >= 0 && ageMs < token.lifetimeMs - marginMs;
}
