import { AUDIT_CATEGORIES } from '@atrium/contracts/auth/audit';
import { expect, test } from 'vitest';
import { filtersOf, toQuery } from '../browser/account/activity/filters.ts';

test('reads the filters of a URL', () => {
  const filters = { category: 'session', from: '2026-03-01', to: '2026-03-31' };
  expect(filtersOf(filters)).toEqual(filters);
});

test.each(Object.keys(AUDIT_CATEGORIES))('filters by the category %s', (category) => {
  expect(filtersOf({ category })).toEqual({ category });
});

test('leaves out what is no filter', () => {
  const search = { category: 'toString', from: '2026-13-45', to: 20260331, page: '2' };
  expect(filtersOf(search)).toEqual({});
});

test('asks for both days whole, in the time zone of the browser', () => {
  expect(toQuery({ from: '2026-03-01', to: '2026-03-31' })).toEqual({
    from: new Date(2026, 2, 1).toISOString(),
    to: new Date(2026, 3, 1).toISOString(),
  });
});
