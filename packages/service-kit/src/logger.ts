import { pino, type DestinationStream, type Logger as PinoLogger } from 'pino';
import { errorFields } from './error-fields.ts';

export type Logger = PinoLogger;

/** Fields that are never written, in lower case. */
const SECRET_FIELDS = new Set([
  'authorization',
  'cookie',
  'set-cookie',
  'password',
  'currentpassword',
  'newpassword',
  'token',
  'accesstoken',
  'refreshtoken',
  'secret',
  'x-cron-secret',
  'x-internal-secret',
  'content',
]);
const DEPTH_MAX = 5;

/**
 * A copy without secrets. Pino's own `redact` with wildcard paths runs again for each child logger,
 * that is for each request: it was the most expensive function of a small request.
 */
function withoutSecrets(source: object, depth: number): Record<string, unknown> {
  const copy: Record<string, unknown> = { ...source };
  for (const [key, value] of Object.entries(source)) {
    copy[key] = SECRET_FIELDS.has(key.toLowerCase()) ? '[redacted]' : cleaned(value, depth);
  }
  return copy;
}

function cleaned(value: unknown, depth: number): unknown {
  if (value instanceof Error) {
    return errorFields(value);
  }
  const isList = Array.isArray(value);
  if (!isList && !isPlain(value)) {
    return value;
  }
  if (depth >= DEPTH_MAX) {
    return '[too deep]';
  }
  return isList ? value.map((item) => cleaned(item, depth + 1)) : withoutSecrets(value, depth + 1);
}

/** Dates and the like go to their serializers as they are. */
function isPlain(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) {
    return false;
  }
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/**
 * Structured logs, one JSON object a line, without secrets.
 *
 * @param options.destination where to write instead of stdout (tests)
 */
export function createLogger(options: {
  service: string;
  level: string;
  destination?: DestinationStream;
}): Logger {
  const settings = {
    level: options.level,
    base: { service: options.service },
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    // Also for child loggers, whose fields the formatter below does not see.
    serializers: {
      err: (value: unknown) => (value instanceof Error ? errorFields(value) : value),
    },
    formatters: {
      level: (label: string) => ({ level: label }),
      log: (line: object) => withoutSecrets(line, 0),
    },
  };
  return options.destination === undefined ? pino(settings) : pino(settings, options.destination);
}
