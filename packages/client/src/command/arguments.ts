import { parseArgs } from 'node:util';
import { EVENTS } from './events.ts';
import { CommandError } from './exit-codes.ts';

/** As the services have it. */
const EVENT_PATTERN = /^([a-z][a-z0-9_-]*\.)+([a-z][a-z0-9_-]*|\*)$/;

export const OPTIONS = {
  json: { type: 'boolean', default: false },
  help: { type: 'boolean', short: 'h', default: false },
  version: { type: 'boolean', default: false },
  forward: { type: 'string' },
  events: { type: 'string' },
  workspace: { type: 'string' },
  'auth-url': { type: 'string' },
  'webhooks-url': { type: 'string' },
  'notes-url': { type: 'string' },
} as const;

export function parseArguments(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true });
  } catch (error) {
    // What follows is about arguments that begin with a hyphen.
    const [message = ''] = String(error instanceof Error ? error.message : error).split('. ');
    throw new CommandError('usage', `${message}\nRun \`atrium --help\` to see what there is`);
  }
}

/** As people type it: `localhost:3000/hook` and `3000/hook` are on this machine. */
export function parseForward(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const completed = text.replace(/^:?(?=\d+(\/|$))/, 'localhost:');
  const url = /^[a-z]+:\/\//i.test(completed) ? completed : `http://${completed}`;
  if (!URL.canParse(url) || !/^https?:/i.test(url)) {
    throw new CommandError('usage', `${text} is not a URL such as http://localhost:3000/hook`);
  }
  return new URL(url).href;
}

export function parseEvents(text = EVENTS.join(',')): string[] {
  const names = text.split(',').map((name) => parseEvent(name.trim()));
  return [...new Set(names)];
}

/** Whether there is such an event, the service knows: of Atrium or of a product. */
export function parseEvent(name = ''): string {
  if (EVENT_PATTERN.test(name)) return name;
  throw new CommandError(
    'usage',
    'Events have names such as note.shared, or shop.* for all of shop',
  );
}
