import { openCookieJar } from '../http/cookies.ts';
import { startDeadline } from '../http/deadline.ts';
import { isUnauthorized } from '../http/error.ts';
import { send } from '../http/send.ts';
import { isFresh, readToken } from '../session/token.ts';
import type { Credentials, CredentialsFile } from './credentials.ts';
import { CommandError } from './exit-codes.ts';

const TIMEOUT_MS = 10_000;

export interface CommandSession {
  credentials(): Promise<Credentials>;
  /** A token that can be used now, refreshed when it is about to expire or was refused. */
  accessToken(refused?: string): Promise<string>;
}

export interface CookieResponse<Body> {
  body: Body;
  cookies: Record<string, string>;
}

/** The session of the credentials file, which every run of the command shares. */
export function createCommandSession(file: CredentialsFile): CommandSession {
  /** When this run got the token it holds, since only then its age is known. */
  let held: ReturnType<typeof readToken> | undefined;

  async function credentials(): Promise<Credentials> {
    const stored = await file.read();
    if (stored === undefined) throw notLoggedIn();
    return stored;
  }

  return {
    credentials,
    async accessToken(refused) {
      if (held !== undefined && held.value !== refused && isFresh(held)) return held.value;
      const { accessToken } = await file.update(async (stored) => {
        if (stored === undefined) throw notLoggedIn();
        // Another run has refreshed it meanwhile.
        const isKnown = stored.accessToken === held?.value || stored.accessToken === refused;
        if (!isKnown && isUnexpired(stored.accessToken)) return stored;
        const { body, cookies } = await postForCookies<{ accessToken: string }>(
          `${stored.authUrl}/auth/refresh`,
          undefined,
          stored.cookies,
        );
        return { ...stored, accessToken: body.accessToken, cookies };
      });
      held = readToken(accessToken, Date.now());
      return accessToken;
    },
  };
}

/** POST with cookies: beside the body it returns the cookies as they are after the response. */
export async function postForCookies<Body>(
  url: string,
  body: object | undefined,
  cookies: Record<string, string>,
): Promise<CookieResponse<Body>> {
  const kept = new Map(Object.entries(cookies));
  const headers = { 'user-agent': 'Atrium-Command/1' };
  const request = { method: 'POST', url, headers, body, withCookies: true, isIdempotent: false };
  try {
    const transport = { fetch, cookies: openCookieJar(kept) };
    const response = await send(transport, request, startDeadline({ deadlineMs: TIMEOUT_MS }));
    return { body: response.body as Body, cookies: Object.fromEntries(kept) };
  } catch (error) {
    throw isUnauthorized(error) ? loginEnded() : error;
  }
}

function isUnexpired(accessToken: string): boolean {
  const { issuedAt, lifetimeMs } = readToken(accessToken, Date.now());
  return issuedAt * 1000 + lifetimeMs * 0.9 > Date.now();
}

function loginEnded(): CommandError {
  return new CommandError('notLoggedIn', 'The login has ended: run `atrium login` again');
}

export function notLoggedIn(): CommandError {
  return new CommandError('notLoggedIn', 'Not logged in: run `atrium login` first');
}
