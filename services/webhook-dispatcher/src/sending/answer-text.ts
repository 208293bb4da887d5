import { isSuccess } from './outcome.ts';

const EXCERPT_MAX_CHARACTERS = 1_024;
/** There are far more successes, and what they say is rarely read. */
const SUCCESS_EXCERPT_MAX_CHARACTERS = 200;
const HEADERS_MAX_CHARACTERS = 1_024;
/** A character takes at most four bytes in UTF-8. */
export const EXCERPT_MAX_BYTES = 4 * EXCERPT_MAX_CHARACTERS;
const ERROR_MAX_CHARACTERS = 300;

/** Postgres stores no NUL in text, and a cut may fall inside a character. */
function storable(text: string, maxCharacters: number): string {
  return text.slice(0, maxCharacters).replaceAll('\0', '\uFFFD').toWellFormed();
}

/** The headers of an answer, one a line. */
export function headersText(headers: Record<string, string | string[] | undefined>): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${String(value)}`);
  return storable(lines.join('\n'), HEADERS_MAX_CHARACTERS);
}

/** The beginning of the body of an answer. */
export function excerptOf(chunks: Buffer[], status: number): string {
  const [first] = chunks;
  const bytes = first !== undefined && chunks.length === 1 ? first : Buffer.concat(chunks);
  const maxCharacters = isSuccess(status) ? SUCCESS_EXCERPT_MAX_CHARACTERS : EXCERPT_MAX_CHARACTERS;
  return storable(bytes.toString('utf8', 0, EXCERPT_MAX_BYTES), maxCharacters);
}

/** What went wrong, in the words of the error. */
export function errorText(error: Error): string {
  // Connecting to several addresses fails with an AggregateError whose own message is empty.
  const cause: unknown = error instanceof AggregateError ? error.errors[0] : error;
  const text = cause instanceof Error ? cause.message : String(cause);
  return storable(text || error.name, ERROR_MAX_CHARACTERS);
}
