import { readFileSync } from 'node:fs';
import { AtriumError } from '../http/error.ts';
import type { CurrentUser, QueuedDelivery } from '../types.ts';
import { type CallApi, createApiCalls } from './api.ts';
import { parseArguments, parseEvent, parseEvents, parseForward } from './arguments.ts';
import { completionOf } from './completion.ts';
import { type CredentialsFile, openCredentialsFile } from './credentials.ts';
import { EVENTS } from './events.ts';
import { CommandError, EXIT_CODES, exitOf, messageOf } from './exit-codes.ts';
import { exportNotes } from './export-notes.ts';
import { importNotes } from './import-notes.ts';
import { listen } from './listen.ts';
import { logIn } from './login.ts';
import { EVENTS_USAGE, publishEvents, pushEventTypes } from './publish-events.ts';
import { createOutput, type Output } from './output.ts';
import { revokeTokens } from './oauth.ts';
import { type CommandSession, createCommandSession } from './session.ts';
import { openTokenSession } from './token-session.ts';
import { parseServiceUrl, type Settings } from './settings.ts';

const HELP = `Usage: atrium <command> [options]

  login      open a page and confirm a code there [--auth-url URL] [--webhooks-url URL] [--notes-url URL]
  logout     end the session and delete its listeners
  whoami     show the account
  listen     forward the deliveries of the account: --forward localhost:3000/hook [--events a,b]
  trigger    send a test event, such as note.shared, to the listener that was started last [--forward URL]
  notes      export <workspace> [file]: download a workspace as a zip archive of Markdown
             import <file> [--workspace ID]: import such an archive, or a folder of Markdown files as a zip
             archive, into the workspace or a new one
  events     publish <file>: publish the events of a file, as JSON or one on each line; - is the standard input
             types push <file>...: register event types, each a JSON file with its description, schema and example
  completion print the completion script for bash or zsh

  --json     print one JSON object per line
  --help, -h print this
  --version  print the version of this package

Events: ${EVENTS.join(', ')},
and those of your products, such as shop.order_paid; --events takes shop.* too, and is all of Atrium by default

ATRIUM_AUTH_URL, ATRIUM_WEBHOOKS_URL and ATRIUM_NOTES_URL say where to log in, ATRIUM_CREDENTIALS where the
tokens are kept, BROWSER what opens the page. ATRIUM_TOKEN is a personal access token, used instead of a login.

Exit codes: 0 done, or listen was stopped, 1 failed, 2 wrong usage, 3 not logged in, 4 service not reachable,
130 interrupted.
`;

const LISTEN_USAGE = 'Usage: atrium listen --forward URL [--events a,b]';

const NOTES_USAGE = `Usage: atrium notes export <workspace> [file]
       atrium notes import <file> [--workspace ID]`;

export interface RunOptions extends Settings {
  args: readonly string[];
  openPage: (url: string) => void;
  write: (text: string) => void;
  writeError: (text: string) => void;
  signal: AbortSignal;
}

interface Context {
  file: CredentialsFile;
  session: CommandSession;
  call: CallApi;
  output: Output;
  signal: AbortSignal;
}

/** Runs the command. @returns its exit code */
export async function run(options: RunOptions): Promise<number> {
  try {
    await dispatch(options);
    return EXIT_CODES.ok;
  } catch (error) {
    const isInterrupted = options.signal.aborted;
    if (!isInterrupted || error instanceof CommandError) {
      const isJson = options.args.includes('--json');
      const message = messageOf(error);
      options.writeError(isJson ? `${JSON.stringify({ error: message })}\n` : `${message}\n`);
    }
    return EXIT_CODES[isInterrupted ? 'interrupted' : exitOf(error)];
  }
}

async function dispatch(options: RunOptions): Promise<void> {
  const { values, positionals } = parseArguments(options.args);
  const [command, argument, ...rest] = positionals;
  if (values.version) return options.write(`${versionOfPackage()}\n`);
  if (values.help || command === undefined) return options.write(HELP);
  const stored = openCredentialsFile(options.credentialsPath);
  const { file, session } =
    options.token === undefined
      ? { file: stored, session: createCommandSession(stored) }
      : openTokenSession(options.token, stored, options);
  const output = createOutput(values.json, options.write);
  const { signal } = options;
  const context: Context = { file, session, call: createApiCalls(session, signal), output, signal };
  // After the signal, what was forwarded is still reported, and a workspace for an import still deleted.
  const lastingContext: Context = { ...context, call: createApiCalls(session) };
  switch (command) {
    case 'login':
      rejectToken(options);
      return logIn({
        authUrl: parseServiceUrl(values['auth-url'] ?? options.authUrl),
        webhooksUrl: parseServiceUrl(values['webhooks-url'] ?? options.webhooksUrl),
        notesUrl: parseServiceUrl(values['notes-url'] ?? options.notesUrl),
        file,
        output,
        openPage: options.openPage,
        signal,
      });
    case 'logout':
      rejectToken(options);
      return logOut(context);
    case 'whoami':
      return whoAmI(context);
    case 'listen': {
      const forwardTo = parseForward(values.forward);
      if (forwardTo === undefined) throw new CommandError('usage', LISTEN_USAGE);
      const events = parseEvents(values.events);
      return listen({ ...lastingContext, forwardTo, events });
    }
    case 'trigger':
      return trigger(context, argument, parseForward(values.forward));
    case 'notes': {
      const [first, path] = rest;
      if (argument === 'export' && first !== undefined) {
        return exportNotes({ session, output, workspaceId: first, path, signal });
      }
      if (argument === 'import' && first !== undefined) {
        return importNotes({ ...lastingContext, path: first, workspaceId: values.workspace });
      }
      throw new CommandError('usage', NOTES_USAGE);
    }
    case 'events':
      if (argument === 'publish' && rest.length === 1) return publishEvents(context, rest[0] ?? '');
      if (argument === 'types' && rest[0] === 'push' && rest.length > 1) {
        return pushEventTypes(context, rest.slice(1));
      }
      throw new CommandError('usage', EVENTS_USAGE);
    case 'completion':
      return options.write(completionOf(argument));
    default:
      throw new CommandError('usage', `Unknown command ${command}\n\n${HELP}`);
  }
}

function versionOfPackage(): string {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}

function rejectToken({ token }: RunOptions): void {
  if (token === undefined) return;
  throw new CommandError('usage', 'ATRIUM_TOKEN is set, so nobody is logged in or out');
}

async function whoAmI({ session, call, output }: Context): Promise<void> {
  const { authUrl } = await session.credentials();
  const user = await call<CurrentUser>('GET', `${authUrl}/user/me`);
  output.line(`${user.name} <${user.email}>`, { event: 'account', ...user });
}

async function trigger(
  { session, call, output }: Context,
  name: string | undefined,
  forwardTo: string | undefined,
): Promise<void> {
  const event = parseEvent(name);
  const { listeners, webhooksUrl } = await session.credentials();
  const target = forwardTo ?? Object.keys(listeners).at(-1) ?? '';
  const listener = listeners[target];
  if (listener === undefined) throw nothingListens();
  const url = `${webhooksUrl}/api/webhooks/${listener.id}/test`;
  const { deliveryId } = await call<QueuedDelivery>('POST', url, { event }).catch((error) => {
    throw error instanceof AtriumError && error.status === 404 ? nothingListens() : error;
  });
  const data = { event: 'triggered', name: event, deliveryId, forwardTo: target };
  output.line(`Sent ${event} to ${target} as ${deliveryId}.`, data);
}

function nothingListens(): CommandError {
  return new CommandError('failed', 'Nothing listens: run `atrium listen --forward URL` first');
}

async function logOut({ session, file, call, output, signal }: Context): Promise<void> {
  const { authUrl, webhooksUrl, refreshToken, listeners } = await session.credentials();
  for (const { id } of Object.values(listeners)) {
    // One that cannot be deleted now expires by itself.
    await call('DELETE', `${webhooksUrl}/api/webhooks/${id}`).catch(() => undefined);
  }
  await revokeTokens(authUrl, (await file.read())?.refreshToken ?? refreshToken, signal);
  await file.remove();
  output.line('Logged out.', { event: 'loggedOut' });
}
