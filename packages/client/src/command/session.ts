import { AtriumError } from '../http/error.ts';
import { isFresh, readToken } from '../session/token.ts';
import type { Credentials, CredentialsFile } from './credentials.ts';
import { CommandError } from './exit-codes.ts';
import { refreshTokens } from './oauth.ts';

export interface CommandSession {
  credentials(): Promise<Credentials>;
  /** A token that can be used now, refreshed when it is about to expire or was refused. */
  accessToken(refused?: string): Promise<string>;
}

/** The session of the credentials file, which every run of the command shares. */
export function createCommandSession(file: CredentialsFile): CommandSession {
  /** When this run got the token it holds, since only then its age is known. */
  let held: ReturnType<typeof readToken> | undefined;

  return {
    credentials: async () => loginOf(await file.read()),
    async accessToken(refused) {
      if (held !== undefined && held.value !== refused && isFresh(held)) return held.value;
      const { accessToken } = await file.update(async (current) => {
        const stored = loginOf(current);
        // Another run has refreshed it meanwhile.
        const isKnown = stored.accessToken === held?.value || stored.accessToken === refused;
        if (!isKnown && isUnexpired(stored.accessToken)) return stored;
        const tokens = await refreshTokens(stored.authUrl, stored.refreshToken).catch(rejectEnded);
        return {
          ...stored,
          accessToken: tokens.access_token,
          refreshToken: tokens.refresh_token,
        };
      });
      held = readToken(accessToken, Date.now());
      return accessToken;
    },
  };
}

/** Without a refresh token only the listeners of a personal access token are stored. */
function loginOf(stored: Credentials | undefined): Credentials {
  if (stored === undefined || stored.refreshToken === '') throw notLoggedIn();
  return stored;
}

function isUnexpired(accessToken: string): boolean {
  const { issuedAt, lifetimeMs } = readToken(accessToken, Date.now());
  return issuedAt * 1000 + lifetimeMs * 0.9 > Date.now();
}

/** The provider answers 400, `invalid_grant`, whatever has ended a login. */
function rejectEnded(error: unknown): never {
  if (!(error instanceof AtriumError) || error.status !== 400) throw error;
  throw new CommandError('notLoggedIn', 'The login has ended: run `atrium login` again');
}

export function notLoggedIn(): CommandError {
  return new CommandError('notLoggedIn', 'Not logged in: run `atrium login` first');
}
