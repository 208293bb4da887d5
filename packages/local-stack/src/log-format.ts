import { styleText } from 'node:util';

const LEVELS: Record<number, string> = {
  10: 'trace',
  20: 'debug',
  30: 'info',
  40: 'warn',
  50: 'error',
  60: 'fatal',
};
/** The same on each line, or told by the prefix. */
const LEFT_OUT = new Set(['level', 'time', 'pid', 'hostname', 'service', 'name', 'msg', 'v']);
const NAME_WIDTH = 18;
const COLOURS = ['cyan', 'green', 'magenta', 'yellow', 'blue'] as const;

/** One structured log line of a service, made readable; any other line as it is. */
export function formatLogLine(processName: string, line: string): string {
  return `${paint(processName)} ${formatRecord(line)}`;
}

function formatRecord(line: string): string {
  if (!line.startsWith('{')) return line;
  let record: Record<string, unknown>;
  try {
    record = JSON.parse(line) as Record<string, unknown>;
  } catch {
    // It only looked like one.
    return line;
  }
  const { level, msg, err } = record;
  const label = typeof level === 'number' ? LEVELS[level] : level;
  const fields = Object.entries(record)
    .filter(([name]) => !LEFT_OUT.has(name) && name !== 'err')
    .map(([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`);
  const stack = (err as { stack?: unknown } | null | undefined)?.stack;
  const rest = typeof stack === 'string' ? `\n${stack}` : '';
  const text = [
    typeof label === 'string' ? label.padEnd(5) : '',
    typeof msg === 'string' ? msg : '',
    dim(fields.join(' ')),
  ];
  return `${text.filter(Boolean).join(' ')}${rest}`;
}

function paint(processName: string): string {
  const prefix = `${processName.padEnd(NAME_WIDTH)} |`;
  const colour = COLOURS[(processName.length + processName.charCodeAt(0)) % COLOURS.length];
  return colour === undefined ? prefix : styleText(colour, prefix, { stream: process.stdout });
}

function dim(text: string): string {
  return text === '' ? '' : styleText('dim', text, { stream: process.stdout });
}
