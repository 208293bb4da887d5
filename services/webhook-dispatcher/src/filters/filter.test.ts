import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileFilter, newWork } from './filter.ts';

const order = {
  id: 'evt_1',
  event: 'shop.order_paid',
  createdAt: '2026-01-31T09:30:00.000Z',
  data: {
    totalCents: 1990,
    currency: 'EUR',
    coupon: null,
    customer: { email: 'ada@example.com' },
    tags: ['new', 'vip'],
    lines: [
      { sku: 'tea', amount: 1 },
      { sku: 'cup', amount: 4 },
    ],
  },
};

describe('a filter', () => {
  it.each<[object, boolean]>([
    [{ 'data.totalCents': { $gte: 1990, $lt: 2000 } }, true],
    [{ 'data.totalCents': { $gt: 1990 } }, false],
    [{ 'data.totalCents': { $lte: '2000' } }, false],
    [{ data: { currency: 'EUR', customer: { email: { $startsWith: 'ada@' } } } }, true],
    [{ data: { currency: { $in: ['USD', 'GBP'] } } }, false],
    [{ createdAt: { $gte: '2026-01-01' }, event: 'shop.order_paid' }, true],
    [{ 'data.coupon': null }, true],
    [{ 'data.coupon': { $exists: true }, 'data.voucher': { $exists: false } }, true],
    [{ 'data.voucher': null }, false],
    [{ 'data.voucher': { $ne: 'x' } }, true],
    [{ 'data.tags': 'vip' }, true],
    [{ 'data.tags': { $ne: 'vip' } }, false],
    [{ 'data.lines.sku': { $in: ['cup'] }, 'data.lines.amount': { $gt: 3 } }, true],
    [{ 'data.lines': { $exists: true } }, true],
    [{ 'data.lines': 'cup' }, false],
    [{ 'data.lines.0.sku': 'tea' }, false],
    [{ $or: [{ 'data.currency': 'USD' }, { 'data.totalCents': 1990 }] }, true],
    [{ data: { $not: { currency: 'EUR' } } }, false],
    [{ 'data.totalCents': { $or: [{ $lt: 100 }, { $gt: 1000 }] } }, true],
    [{ $and: [{ 'data.currency': 'EUR' }, { 'data.totalCents': 1 }] }, false],
    [{ 'data.constructor.name': { $exists: true } }, false],
    [{ 'data.customer.email.length': { $gt: 0 } }, false],
  ])('%j', (filter, expected) => {
    expect(compileFilter(filter)(order, newWork())).toBe(expected);
  });

  it('matches what would take too much work, which all filters of an event share', () => {
    const matches = compileFilter({ 'data.items': 'none' });
    const event = { data: { items: Array.from({ length: 4_000 }, String) } };
    const work = newWork();
    const answers = [1, 2, 3].map(() => matches(event, work));
    expect(answers).toEqual([false, false, true]);
    expect(matches(order, work)).toBe(true);
    expect(matches(order, newWork())).toBe(false);
  });

  const deep = (levels: number): object => (levels === 0 ? { a: 1 } : { $not: deep(levels - 1) });
  const many = Array.from({ length: 31 }, (_, n) => [`data.n${n}`, n]);
  it.each<[object, RegExp]>([
    [{}, /is empty/],
    [{ data: { a: {} } }, /data\.a is empty/],
    [{ amount: 5 }, /amount begins with none of id, event, createdAt, occurredAt, data/],
    [{ $eq: 5 }, /\$eq needs a path/],
    [{ 'data.a': { $regex: '(a+)+$' } }, /data\.a\.\$regex is no operator/],
    [{ 'data.a': [1] }, /data\.a must be an object/],
    [{ 'data..a': 1 }, /data\.\.a has an empty name/],
    [{ 'data.a': { $gt: true } }, /data\.a\.\$gt takes a number or a text/],
    [{ 'data.a': { $gt: Number.POSITIVE_INFINITY } }, /data\.a\.\$gt takes/],
    [{ 'data.a': { $eq: { b: 1 } } }, /data\.a\.\$eq takes/],
    [{ 'data.a': { $exists: 1 } }, /\$exists takes true or false/],
    [{ 'data.a': { $startsWith: 1 } }, /\$startsWith takes a text/],
    [{ 'data.a': { $in: [] } }, /\$in takes a list/],
    [{ 'data.a': { $in: Array.from({ length: 101 }, String) } }, /more than 100 values/],
    [{ $or: [] }, /\$or takes a list of filters/],
    [{ $not: [] }, /must be an object/],
    [Object.fromEntries(many), /data\.n30 is one of more than 30 conditions/],
    [{ data: deep(20) }, /data is too deep/],
    [{ [`data${'.a'.repeat(20)}`]: 1 }, /is too deep/],
    [{ 'data.a': 'x'.repeat(9_000) }, /longer than 8192/],
  ])('is refused with the place that is wrong: %j', (filter, message) => {
    expect(() => compileFilter(filter)).toThrow(message);
  });
});

const name = fc.constantFrom('a', 'b', 'c');
const scalar = fc.oneof(
  fc.constantFrom(null, true, '', 'a', 'ab', 'b'),
  fc.integer({ min: -2, max: 2 }),
);
const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    scalar,
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(name, tie('value'), { maxKeys: 3 }),
  ),
}));
const body = value.map((data) => ({ data }));
const path = fc.array(name, { maxLength: 3 }).map((names) => ['data', ...names]);
const comparison = fc.oneof(
  fc.tuple(fc.constantFrom('$eq', '$ne'), scalar),
  fc.tuple(fc.constant('$in'), fc.array(scalar, { minLength: 1, maxLength: 3 })),
  fc.tuple(
    fc.constantFrom('$gt', '$gte', '$lt', '$lte'),
    scalar.filter((each) => typeof each === 'string' || typeof each === 'number'),
  ),
  fc.tuple(fc.constant('$exists'), fc.boolean()),
  fc.tuple(fc.constant('$startsWith'), fc.constantFrom('', 'a', 'ab')),
);

/** Every value at a path, found by listing the paths of all values there are. */
function valuesAt(root: unknown, wanted: readonly string[]): unknown[] {
  const found: unknown[] = [];
  const list = (at: unknown, names: readonly string[], isItem: boolean) => {
    if (names.join('.') === wanted.join('.')) found.push(at);
    if (Array.isArray(at) && !isItem) for (const item of at) list(item, names, true);
    else if (typeof at === 'object' && at !== null && !Array.isArray(at)) {
      for (const [key, inner] of Object.entries(at)) list(inner, [...names, key], false);
    }
  };
  list(root, [], false);
  return found;
}

function holds(operator: string, operand: unknown, each: unknown): boolean {
  const isOrdered = typeof each === typeof operand && /string|number/.test(typeof each);
  const [left, right] = [each as number, operand as number];
  switch (operator) {
    case '$eq':
      return each === operand;
    case '$in':
      return (operand as unknown[]).includes(each);
    case '$gt':
      return isOrdered && left > right;
    case '$gte':
      return isOrdered && left >= right;
    case '$lt':
      return isOrdered && left < right;
    case '$lte':
      return isOrdered && left <= right;
    default:
      return typeof each === 'string' && each.startsWith(String(operand));
  }
}

function naive(operator: string, operand: unknown, values: unknown[]): boolean {
  if (operator === '$exists') return values.length > 0 === operand;
  if (operator === '$ne') return !naive('$eq', operand, values);
  return values.some((each) => holds(operator, operand, each));
}

describe('the laws of filters', () => {
  it('a comparison says what a search through all values says', () => {
    fc.assert(
      fc.property(body, path, comparison, (event, names, [operator, operand]) => {
        const matches = compileFilter({ [names.join('.')]: { [operator]: operand } });
        expect(matches(event, newWork())).toBe(naive(operator, operand, valuesAt(event, names)));
      }),
      { numRuns: 1_000 },
    );
  });

  const condition = fc
    .tuple(path, comparison)
    .map(([names, [operator, operand]]) => ({ [names.join('.')]: { [operator]: operand } }));

  it('$and, $or and $not combine filters, and objects are paths', () => {
    fc.assert(
      fc.property(body, condition, condition, (event, one, other) => {
        const is = (filter: object) => compileFilter(filter)(event, newWork());
        expect(is({ $and: [one, other] })).toBe(is(one) && is(other));
        expect(is({ $or: [one, other] })).toBe(is(one) || is(other));
        expect(is({ $not: one })).toBe(!is(one));
        const [dotted = '', inner] = Object.entries(one)[0] ?? [];
        const nested = dotted
          .split('.')
          .reduceRight<object>((it, key) => ({ [key]: it }), inner ?? {});
        expect(is(nested)).toBe(is(one));
      }),
    );
  });
});
