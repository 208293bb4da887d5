import type { Credentials, CredentialsFile } from './credentials.ts';
import { CommandError } from './exit-codes.ts';
import type { CommandSession } from './session.ts';
import { parseServiceUrl, type Settings } from './settings.ts';

/**
 * A session of a personal access token, for where nobody can log in, as in CI. The file keeps the listeners, so
 * that the next run finds them, and never the token.
 */
export function openTokenSession(
  token: string,
  file: CredentialsFile,
  settings: Settings,
): { file: CredentialsFile; session: CommandSession } {
  const base = {
    authUrl: parseServiceUrl(settings.authUrl),
    webhooksUrl: parseServiceUrl(settings.webhooksUrl),
    notesUrl: parseServiceUrl(settings.notesUrl),
    email: '',
    accessToken: '',
    refreshToken: '',
  };
  const withListeners = (stored: Credentials | undefined): Credentials => ({
    ...base,
    listeners: stored?.listeners ?? {},
  });
  return {
    file: {
      ...file,
      update: (change) =>
        file.update(async (stored) => {
          const { listeners } = await change(withListeners(stored));
          return { ...(stored ?? base), listeners };
        }),
    },
    session: {
      credentials: async () => withListeners(await file.read()),
      async accessToken(refused) {
        if (refused === undefined) return token;
        throw new CommandError('notLoggedIn', 'ATRIUM_TOKEN was rejected: it may have expired');
      },
    },
  };
}
