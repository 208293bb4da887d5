import { validationError } from '@atrium/service-kit/http-error';

const CUSTOM_HEADERS_MAX = 10;
const NAME_MAX_CHARACTERS = 100;
const VALUE_MAX_CHARACTERS = 1_024;
/** Many servers refuse a request whose headers are longer than 8 KiB altogether. */
const TOTAL_MAX_CHARACTERS = 4_096;

/** A token, as RFC 9110 section 5.6.2 has it. */
const NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
/** Visible ASCII with single-line white space inside (RFC 9110 section 5.5, without obs-text). */
const VALUE = /^[\x21-\x7e]([\t\x20-\x7e]*[\x21-\x7e])?$/;

// Headers that frame the message, belong to one connection (RFC 9110 section 7.6.1) or are set here.
const RESERVED_NAMES = new Set([
  'accept-encoding',
  'connection',
  'expect',
  'host',
  'http2-settings',
  'keep-alive',
  'te',
  'traceparent',
  'tracestate',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'user-agent',
]);
const RESERVED_PREFIXES = ['content-', 'proxy-', 'service-', 'webhook-', ':'];

/** Headers that an owner wants with each delivery, such as `{ "Authorization": "Bearer …" }`. */
export type CustomHeaders = Readonly<Record<string, string>>;

/**
 * Throws a Validation Error unless these headers may go with a delivery: at most 10, each a header
 * name and a value that HTTP can carry, none twice, and none that is reserved.
 */
export function assertCustomHeaders(headers: CustomHeaders): void {
  const entries = Object.entries(headers);
  if (entries.length > CUSTOM_HEADERS_MAX) {
    throw validationError(`Headers must not be more than ${CUSTOM_HEADERS_MAX}`);
  }
  const seen = new Set<string>();
  let totalCharacters = 0;
  for (const [name, value] of entries) {
    const fault = faultOf(name, value, seen);
    if (fault !== undefined) throw validationError(fault);
    seen.add(name.toLowerCase());
    totalCharacters += name.length + value.length;
  }
  if (totalCharacters > TOTAL_MAX_CHARACTERS) {
    throw validationError(`Headers must not be longer than ${TOTAL_MAX_CHARACTERS} characters`);
  }
}

function faultOf(name: string, value: string, seen: ReadonlySet<string>): string | undefined {
  if (name.length > NAME_MAX_CHARACTERS || !NAME.test(name)) {
    return 'Headers must have names of letters, digits and hyphens';
  }
  const lowerCased = name.toLowerCase();
  if (RESERVED_NAMES.has(lowerCased) || RESERVED_PREFIXES.some((p) => lowerCased.startsWith(p))) {
    return `Headers must not set ${name}`;
  }
  if (seen.has(lowerCased)) return `Headers must not name ${name} twice`;
  if (value.length > VALUE_MAX_CHARACTERS || !VALUE.test(value)) {
    return `Headers must give ${name} a value of at most ${VALUE_MAX_CHARACTERS} ASCII characters`;
  }
  return undefined;
}
