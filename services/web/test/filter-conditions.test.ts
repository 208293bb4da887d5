import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  filterOf,
  type FilterRow,
  OPERATORS,
  rowsOf,
} from '../browser/webhooks/filter/conditions.ts';

const row = (path: string, operator: FilterRow['operator'], value: string) => ({
  path,
  operator,
  value,
});

describe('the rows of a filter', () => {
  test('say numbers, texts, lists and what they are told twice', () => {
    const rows = [
      row('data.totalCents', '$gte', '1000'),
      row('data.totalCents', '$lt', '5000'),
      row('data.orderId', '$eq', '"1042"'),
      row('data.currency', '$in', 'EUR, USD'),
      row('data.currency', '$ne', 'null'),
      row('data.currency', '$ne', 'GBP'),
      row('data.zip', '$startsWith', '10'),
      row('data.coupon', '$exists', 'false'),
      row('', '$eq', ''),
    ];
    const filter = {
      'data.totalCents': { $gte: 1000, $lt: 5000 },
      'data.orderId': { $eq: '1042' },
      'data.currency': { $in: ['EUR', 'USD'], $ne: null },
      'data.zip': { $startsWith: '10' },
      'data.coupon': { $exists: false },
      $and: [{ 'data.currency': { $ne: 'GBP' } }],
    };
    expect(filterOf(rows)).toEqual(filter);
    expect(filterOf(rowsOf(filter) ?? [])).toEqual(filter);
    expect(filterOf([])).toBeNull();
  });

  test('are read from objects inside each other, but not from $or and $not', () => {
    expect(rowsOf({ data: { customer: { vip: true }, total: { $gt: 5 } } })).toEqual([
      row('data.customer.vip', '$eq', 'true'),
      row('data.total', '$gt', '5'),
    ]);
    expect(rowsOf({ $or: [{ 'data.a': 1 }] })).toBeUndefined();
    expect(rowsOf({ data: { $not: { a: 1 } } })).toBeUndefined();
  });

  test('say the same after they were read', () => {
    const value = fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null));
    const operators = OPERATORS.filter((each) => !['$in', '$exists', '$startsWith'].includes(each));
    const condition = fc.oneof(
      fc.tuple(fc.constantFrom(...operators), value),
      fc.tuple(fc.constant('$in'), fc.array(value, { minLength: 1, maxLength: 4 })),
      fc.tuple(fc.constant('$startsWith'), fc.string()),
    );
    fc.assert(
      fc.property(condition, ([operator, operand]) => {
        const filter = { 'data.a': { [operator]: operand } };
        expect(filterOf(rowsOf(filter) ?? [])).toEqual(filter);
      }),
    );
  });
});
