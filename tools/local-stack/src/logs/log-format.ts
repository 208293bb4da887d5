import { styleText } from 'node:util';

/** Fields that every line has, or that the prefix already shows. */
const HIDDEN_FIELDS = new Set(['level', 'time', 'service', 'msg', 'err']);
const QUIET_LEVELS = new Set<unknown>(['trace', 'debug', 'info']);
const NAME_WIDTH = 18;
const COLOURS = ['cyan', 'green', 'magenta', 'yellow', 'blue'] as const;

/** Whether a log line is a warning, an error, or something that only a crash writes. */
export function isWarning(line: string): boolean {
  const record = parseRecord(line);
  return record === null ? line.trim() !== '' : !QUIET_LEVELS.has(record['level']);
}

/**
 * A structured log line of a service as a person reads it; any other line unchanged.
 * @param options.stacks shows the stack of an error instead of its message
 */
export function formatLogLine(
  processName: string,
  line: string,
  options: { stacks: boolean },
): string {
  return `${prefix(processName)} ${formatRecord(line, options.stacks)}`;
}

function parseRecord(line: string): Record<string, unknown> | null {
  if (!line.startsWith('{')) return null;
  try {
    return JSON.parse(line) as Record<string, unknown>;
  } catch {
    // Not a record after all: the line is shown as it is.
    return null;
  }
}

function formatRecord(line: string, stacks: boolean): string {
  const record = parseRecord(line);
  if (record === null) return line;
  const { level, msg } = record;
  const error = (record['err'] ?? {}) as { message?: unknown; stack?: unknown };
  const fields = Object.entries(record)
    .filter(([name]) => !HIDDEN_FIELDS.has(name))
    .map(([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`);
  const summary = typeof msg === 'string' ? msg : '';
  const hasMessage = !stacks && typeof error.message === 'string';
  const text = [
    typeof level === 'string' ? level.padEnd(5) : '',
    hasMessage ? `${summary}: ${String(error.message)}` : summary,
    dim(fields.join(' ')),
  ];
  const stack = stacks && typeof error.stack === 'string' ? `\n${error.stack}` : '';
  return `${text.filter(Boolean).join(' ')}${stack}`;
}

function prefix(processName: string): string {
  const text = `${processName.padEnd(NAME_WIDTH)} |`;
  const colour = COLOURS[(processName.length + processName.charCodeAt(0)) % COLOURS.length];
  return colour === undefined ? text : styleText(colour, text, { stream: process.stdout });
}

function dim(text: string): string {
  return text === '' ? '' : styleText('dim', text, { stream: process.stdout });
}
