import { parseArgs } from 'node:util';
import { AtriumError } from '../http/error.ts';
import type { CurrentUser, EventName, QueuedDelivery } from '../types.ts';
import { type CallApi, createApiCalls } from './api.ts';
import { completionOf } from './completion.ts';
import { type CredentialsFile, openCredentialsFile } from './credentials.ts';
import { EVENTS } from './events.ts';
import { CommandError, EXIT_CODES } from './exit-codes.ts';
import { exportNotes } from './export-notes.ts';
import { importNotes } from './import-notes.ts';
import { listen } from './listen.ts';
import { logIn } from './login.ts';
import { createOutput, type Output } from './output.ts';
import { type CommandSession, createCommandSession, postForCookies } from './session.ts';

const HELP = `Usage: atrium <command> [options]

  login      log in by confirming a code in a browser [--auth-url URL] [--webhooks-url URL] [--notes-url URL]
  logout     end the session and delete its listeners
  whoami     show the account
  listen     forward the deliveries of the account [--forward URL] [--events a,b]
  trigger    send a test event to the listener, such as note.shared [--forward URL]
  notes      export <workspace> [file]: download a workspace as a zip archive of Markdown
             import <file> [--workspace ID]: import such an archive, or a folder of Markdown files as a zip
             archive, into the workspace or a new one
  completion print the completion script for bash or zsh

  --json     print one JSON object per line

Exit codes: 0 done, 1 failed, 2 wrong usage, 3 not logged in, 4 service not reachable.
`;

const NOTES_USAGE = `Usage: atrium notes export <workspace> [file]
       atrium notes import <file> [--workspace ID]`;

export interface RunOptions {
  args: readonly string[];
  credentialsPath: string;
  authUrl: string;
  webhooksUrl: string;
  notesUrl: string;
  write: (text: string) => void;
  writeError: (text: string) => void;
  signal: AbortSignal;
}

interface Context {
  file: CredentialsFile;
  session: CommandSession;
  call: CallApi;
  output: Output;
}

const OPTIONS = {
  json: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
  forward: { type: 'string' },
  events: { type: 'string' },
  workspace: { type: 'string' },
  'auth-url': { type: 'string' },
  'webhooks-url': { type: 'string' },
  'notes-url': { type: 'string' },
} as const;

/** Runs the command. @returns its exit code */
export async function run(options: RunOptions): Promise<number> {
  try {
    await dispatch(options);
    return EXIT_CODES.ok;
  } catch (error) {
    if (options.signal.aborted) return EXIT_CODES.ok;
    const isJson = options.args.includes('--json');
    const message = error instanceof Error ? error.message : String(error);
    options.writeError(isJson ? `${JSON.stringify({ error: message })}\n` : `${message}\n`);
    return EXIT_CODES[exitOf(error)];
  }
}

function exitOf(error: unknown): keyof typeof EXIT_CODES {
  if (error instanceof CommandError) return error.exit;
  return error instanceof AtriumError && error.status === 0 ? 'unreachable' : 'failed';
}

async function dispatch(options: RunOptions): Promise<void> {
  const { values, positionals } = parse(options.args);
  const [command, argument, ...rest] = positionals;
  if (values.help || command === undefined) return options.write(HELP);
  const file = openCredentialsFile(options.credentialsPath);
  const session = createCommandSession(file);
  const output = createOutput(values.json, options.write);
  const context: Context = { file, session, call: createApiCalls(session), output };
  switch (command) {
    case 'login':
      return logIn({
        authUrl: withoutSlash(values['auth-url'] ?? options.authUrl),
        webhooksUrl: withoutSlash(values['webhooks-url'] ?? options.webhooksUrl),
        notesUrl: withoutSlash(values['notes-url'] ?? options.notesUrl),
        file,
        output,
        signal: options.signal,
      });
    case 'logout':
      return logOut(context);
    case 'whoami':
      return whoAmI(context);
    case 'listen': {
      if (values.forward === undefined || !URL.canParse(values.forward)) {
        throw new CommandError('usage', 'Usage: atrium listen --forward URL [--events a,b]');
      }
      const events = parseEvents(values.events);
      return listen({ ...context, forwardTo: values.forward, events, signal: options.signal });
    }
    case 'trigger':
      return trigger(context, argument, values.forward);
    case 'notes': {
      const [first, path] = rest;
      const { signal } = options;
      if (argument === 'export' && first !== undefined) {
        return exportNotes({ session, output, workspaceId: first, path, signal });
      }
      if (argument === 'import' && first !== undefined) {
        return importNotes({ ...context, path: first, workspaceId: values.workspace, signal });
      }
      throw new CommandError('usage', NOTES_USAGE);
    }
    case 'completion':
      return options.write(completionOf(argument));
    default:
      throw new CommandError('usage', `Unknown command ${command}\n\n${HELP}`);
  }
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true });
  } catch (error) {
    throw new CommandError('usage', error instanceof Error ? error.message : String(error));
  }
}

function parseEvents(text = EVENTS.join(',')): EventName[] {
  return text.split(',').map(parseEvent);
}

function parseEvent(name: string | undefined): EventName {
  const found = EVENTS.find((event) => event === name);
  if (found === undefined) throw new CommandError('usage', `Events are ${EVENTS.join(', ')}`);
  return found;
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
  const [listener] = forwardTo === undefined ? Object.values(listeners) : [listeners[forwardTo]];
  if (listener === undefined) {
    throw new CommandError('failed', 'Nothing listens: run `atrium listen --forward URL` first');
  }
  const url = `${webhooksUrl}/api/webhooks/${listener.id}/test`;
  const { deliveryId } = await call<QueuedDelivery>('POST', url, { event });
  output.line(`Sent ${event} as ${deliveryId}.`, { event: 'triggered', name: event, deliveryId });
}

async function logOut({ session, file, call, output }: Context): Promise<void> {
  const { authUrl, webhooksUrl, cookies, listeners } = await session.credentials();
  for (const { id } of Object.values(listeners)) {
    // One that cannot be deleted now expires by itself.
    await call('DELETE', `${webhooksUrl}/api/webhooks/${id}`).catch(() => undefined);
  }
  await postForCookies(
    `${authUrl}/auth/logout`,
    undefined,
    (await file.read())?.cookies ?? cookies,
  );
  await file.remove();
  output.line('Logged out.', { event: 'loggedOut' });
}

function withoutSlash(url: string): string {
  return url.replace(/\/$/, '');
}
