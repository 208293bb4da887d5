import { isAbsolute, join } from 'node:path';
import { CommandError } from './exit-codes.ts';

export interface Settings {
  credentialsPath: string;
  /** A personal access token, used instead of a login. */
  token?: string | undefined;
  authUrl: string;
  webhooksUrl: string;
  notesUrl: string;
}

/**
 * What the environment says. An empty variable is like none, and so is a relative folder (XDG Base Directory
 * Specification): tokens must not end up in whichever folder the command is run in.
 */
export function readSettings(env: Record<string, string | undefined>, home: string): Settings {
  const given = env['XDG_CONFIG_HOME'] ?? '';
  const folder = isAbsolute(given) ? given : join(home, '.config');
  return {
    credentialsPath: env['ATRIUM_CREDENTIALS'] || join(folder, 'atrium', 'credentials.json'),
    token: env['ATRIUM_TOKEN'] || undefined,
    authUrl: env['ATRIUM_AUTH_URL'] || 'http://localhost:4001',
    webhooksUrl: env['ATRIUM_WEBHOOKS_URL'] || 'http://localhost:4003',
    notesUrl: env['ATRIUM_NOTES_URL'] || 'http://localhost:4002',
  };
}

/** The URL of a service, without a slash at its end. */
export function parseServiceUrl(given: string): string {
  const text = given.trim();
  if (!URL.canParse(text) || !/^https?:\/\//i.test(text)) {
    throw new CommandError('usage', `${text} is not a URL such as http://localhost:4001`);
  }
  return text.replace(/\/+$/, '');
}
