import { hash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { EXCHANGE_PATH, ExchangedToken } from '@atrium/contracts/auth/personal-tokens';
import { Value } from 'typebox/value';
import { unavailable } from '../http-error.ts';

/** So that scanners of leaked secrets find them. */
const PREFIX = 'atrium_pat_';
const SECRET_BYTES = 32;
const TOKEN = /^atrium_pat_([\w-]{43})([0-9a-f]{8})$/;
const REQUEST_TIMEOUT_MS = 2000;

/** Exchanges a personal access token for an access token; undefined when it is not valid. */
export type ExchangePersonalToken = (token: string) => Promise<string | undefined>;

const checksum = (secret: string) => crc32(secret).toString(16).padStart(8, '0');

/** A token of 256 random bits, whose last eight characters let everybody tell it from a misspelt one. */
export function newPersonalToken(): string {
  const secret = randomBytes(SECRET_BYTES).toString('base64url');
  return `${PREFIX}${secret}${checksum(secret)}`;
}

export function isPersonalToken(text: string): boolean {
  return text.startsWith(PREFIX);
}

/** Whether it can be one that was issued, known without asking for it. */
export function isWellFormed(token: string): boolean {
  const [, secret, given] = TOKEN.exec(token) ?? [];
  return secret !== undefined && checksum(secret) === given;
}

/** What auth stores, and caches are asked by. */
export function hashPersonalToken(token: string): Buffer {
  return hash('sha256', token, 'buffer');
}

/** Asks auth over HTTP. @param authUrl `AUTH_URL` */
export function exchangeAt(authUrl: string): ExchangePersonalToken {
  return async (token) => {
    try {
      const response = await fetch(`${authUrl}${EXCHANGE_PATH}`, {
        method: 'POST',
        signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
        headers: { accept: 'application/json', authorization: `Bearer ${token}` },
        redirect: 'error',
      });
      const answer: unknown = await response.json();
      if (response.status === 401) return undefined;
      if (response.ok && Value.Check(ExchangedToken, answer)) return answer.accessToken;
      throw new Error(`Auth answered ${response.status}`);
    } catch (error) {
      throw unavailable('Tokens cannot be verified at the moment', 2, error);
    }
  };
}
