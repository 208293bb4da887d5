import { validationError } from './http-error.ts';

export type CursorValue = string | number | boolean | null;

function isCursorValue(value: unknown): value is CursorValue {
  switch (typeof value) {
    case 'string':
      // Postgres takes neither NUL nor a lone surrogate in a text parameter.
      return value.isWellFormed() && !value.includes('\0');
    case 'number':
    case 'boolean':
      return true;
    default:
      return value === null;
  }
}

/** The sort key of a list's last row as opaque text. */
export function encodeCursor(values: readonly unknown[]): string {
  return Buffer.from(JSON.stringify(values)).toString('base64url');
}

function parse(cursor: string): unknown {
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString());
  } catch {
    return undefined;
  }
}

/**
 * What `encodeCursor` was given. The values come from the caller: they are well-formed scalars, but
 * a query must bind them as parameters and check their types.
 *
 * @param length how many values the list's cursor has
 * @throws HttpError 422 when it is not such a cursor
 */
export function decodeCursor(cursor: string, length: number): CursorValue[] {
  const values = parse(cursor);
  if (!Array.isArray(values) || values.length !== length || !values.every(isCursorValue)) {
    throw validationError('Cursor is not valid');
  }
  return values;
}

/**
 * The cursor of a list that is sorted by id alone, or by a name that is one; undefined on the first page.
 *
 * @throws HttpError 422 as `decodeCursor`
 */
export function decodeIdCursor(cursor: string | undefined): string | undefined {
  if (cursor === undefined) return undefined;
  const [id] = decodeCursor(cursor, 1);
  if (typeof id !== 'string') throw validationError('Cursor is not valid');
  return id;
}

/** @returns undefined when the text of a cursor is no time, or none of the years that Postgres has too */
export function readTime(text: string): Date | undefined {
  const time = new Date(text);
  const year = time.getUTCFullYear();
  return year >= 1 && year <= 9999 ? time : undefined;
}

/** The last row of the page before. */
export interface TimePosition {
  time: Date;
  id: string;
}

/**
 * The cursor of a list that is sorted by a time and then by id; undefined on the first page.
 *
 * @throws HttpError 422 as `decodeCursor`
 */
export function decodeTimeCursor(cursor: string | undefined): TimePosition | undefined {
  if (cursor === undefined) return undefined;
  const [text, id] = decodeCursor(cursor, 2);
  const time = typeof text === 'string' ? readTime(text) : undefined;
  if (typeof id !== 'string' || time === undefined) {
    throw validationError('Cursor is not valid');
  }
  return { time, id };
}

/**
 * One page of a list.
 *
 * @param rows fetched with `limit + 1`: the extra row says that there is a next page
 * @param cursorOf the sort key of a row, which the next page starts after
 */
export function toPage<Row>(
  rows: readonly Row[],
  limit: number,
  cursorOf: (row: Row) => readonly unknown[],
): { data: Row[]; nextCursor: string | null } {
  const data = rows.slice(0, limit);
  const last = data.at(-1);
  const hasMore = rows.length > limit && last !== undefined;
  return { data, nextCursor: hasMore ? encodeCursor(cursorOf(last)) : null };
}
