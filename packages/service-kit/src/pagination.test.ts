import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { HttpError } from './http-error.ts';
import {
  decodeCursor,
  decodeIdCursor,
  decodeTimeCursor,
  encodeCursor,
  toPage,
} from './pagination.ts';

const cursorValue = fc.oneof(
  fc.string({ unit: 'grapheme' }).filter((text) => !text.includes('\0')),
  fc.integer(),
  fc.boolean(),
  fc.constant(null),
);

describe('cursors', () => {
  it('are decoded to the values that were encoded', () => {
    fc.assert(
      fc.property(fc.array(cursorValue, { maxLength: 4 }), (values) => {
        expect(decodeCursor(encodeCursor(values), values.length)).toEqual(values);
      }),
    );
  });

  it('return 422 when they are not valid', () => {
    const expectRefused = (cursor: string) => {
      expect(() => decodeCursor(cursor, 2)).toThrow(HttpError);
      expect(() => decodeCursor(cursor, 2)).toThrow('Cursor is not valid');
    };
    fc.assert(fc.property(fc.string(), expectRefused));
    const others = [['one'], ['a', 'b', 'c'], ['a', {}], ['a', 'x\0y'], ['a', '\ud800']];
    others.map(encodeCursor).forEach(expectRefused);
  });

  it.each([[[1]], [[null]], [['a', 'b']]])('return 422 for the id %j', (values) => {
    expect(() => decodeIdCursor(encodeCursor(values))).toThrow('Cursor is not valid');
  });

  it.each([
    [['yesterday', 'a']],
    [[0, 'a']],
    [['2026-01-01T00:00:00.000Z', 1]],
    [['-271821-04-20T00:00:00.000Z', 'a']],
    [['+010000-01-01T00:00:00.000Z', 'a']],
  ])('return 422 for the time and id %j', (values) => {
    expect(() => decodeTimeCursor(encodeCursor(values))).toThrow('Cursor is not valid');
  });
});

describe('toPage', () => {
  const page = (count: number) =>
    toPage(
      Array.from({ length: count }, (_, index) => ({ id: index })),
      3,
      (row) => [row.id],
    );

  it('has a cursor after its last row only if there are more rows', () => {
    expect(page(0)).toEqual({ data: [], nextCursor: null });
    expect(page(3).nextCursor).toBeNull();
    const more = page(4);
    expect(more.data).toHaveLength(3);
    expect(more.nextCursor).toBe(encodeCursor([2]));
  });
});
