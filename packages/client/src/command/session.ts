import { AtriumError } from '../http/error.ts';
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
  let response: Response;
  try {
    response = await fetch(url, {
      method: 'POST',
      signal: AbortSignal.timeout(TIMEOUT_MS),
      headers: {
        'user-agent': 'Atrium-Command/1',
        cookie: Object.entries(cookies)
          .map(([name, value]) => `${name}=${value}`)
          .join('; '),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  } catch (cause) {
    throw new AtriumError(0, 'Network Error', 'The service could not be reached', { cause });
  }
  const text = await response.text();
  const answer = text === '' ? {} : JSON.parse(text);
  if (response.status === 401) throw notLoggedIn();
  if (!response.ok) throw new AtriumError(response.status, answer.error, answer.message);
  const kept = { ...cookies };
  for (const line of response.headers.getSetCookie()) {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
    kept[name] = value;
  }
  return { body: answer, cookies: kept };
}

function isUnexpired(accessToken: string): boolean {
  const { issuedAt, lifetimeMs } = readToken(accessToken, Date.now());
  return issuedAt * 1000 + lifetimeMs * 0.9 > Date.now();
}

function notLoggedIn(): CommandError {
  return new CommandError('notLoggedIn', 'Not logged in: run `atrium login` first');
}
