import fc from 'fast-check';
import { expect, test } from 'vitest';
import { idBound, idTimeMs, newId, newUuid, uuidBound } from './ids.ts';

const TIME_MS = fc.integer({ min: 0, max: 2 ** 47 });

test('an id is its prefix and 26 base32 characters', () => {
  fc.assert(
    fc.property(TIME_MS, (nowMs) => {
      expect(newId('usr', nowMs)).toMatch(/^usr_[0-9a-hjkmnp-tv-z]{26}$/);
    }),
  );
});

test('an id says when it was made', () => {
  fc.assert(fc.property(TIME_MS, (nowMs) => idTimeMs(newId('dlv', nowMs)) === nowMs));
});

test('ids sort by creation time', () => {
  fc.assert(
    fc.property(TIME_MS, TIME_MS, (a, b) => {
      fc.pre(a < b);
      expect(newId('evt', a) < newId('evt', b)).toBe(true);
    }),
  );
});

test('ids of one millisecond sort in the order in which they were made', () => {
  for (let nowMs = 0; nowMs < 10; nowMs += 1) {
    const ids = Array.from({ length: 2_000 }, () => newId('act', nowMs));
    expect(ids.toSorted()).toEqual(ids);
  }
});

test('ten thousand ids created in one millisecond are all different', () => {
  const ids = new Set(Array.from({ length: 10_000 }, () => newId('dlv', 0)));
  expect(ids.size).toBe(10_000);
});

test('a bound separates the ids created before its time from later ones', () => {
  fc.assert(
    fc.property(TIME_MS, fc.integer({ min: 1, max: 1_000 }), (nowMs, laterMs) => {
      const bound = idBound('dlv', nowMs + laterMs);
      expect(newId('dlv', nowMs) < bound).toBe(true);
      expect(newId('dlv', nowMs + laterMs) > bound).toBe(true);
    }),
  );
});

test('a UUID sorts by its time like an id', () => {
  fc.assert(
    fc.property(TIME_MS, fc.integer({ min: 1, max: 2 ** 40 }), (nowMs, laterMs) => {
      const [id, bound] = [newUuid(nowMs), uuidBound(nowMs + laterMs)];
      expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
      expect(id < bound && bound < newUuid(nowMs + laterMs)).toBe(true);
    }),
  );
});

test('a bound outside of what an id can hold is clamped', () => {
  expect(idBound('dlv', -62_167_219_200_000)).toBe(idBound('dlv', 0));
  expect(idBound('dlv', 2 ** 50)).toBe(idBound('dlv', 2 ** 48 - 1));
});
