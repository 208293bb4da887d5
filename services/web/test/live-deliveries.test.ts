import type { Delivery } from '@atrium/client';
import { afterEach, expect, test, vi } from 'vitest';
import { filtersOf, matches, toQuery } from '../browser/deliveries/filters.ts';
import { mergeDeliveries, placeDeliveries } from '../browser/deliveries/merge-deliveries.ts';

afterEach(() => vi.unstubAllEnvs());

const delivery = (n: number, change: Partial<Delivery> = {}): Delivery => ({
  id: `dlv_${n}`,
  webhookId: 'whk_1',
  eventId: 'evt_1',
  event: 'note.shared',
  state: 'pending',
  attemptCount: 0,
  nextAttemptAt: null,
  lastAttempt: null,
  createdAt: '2026-03-31T12:00:00.000Z',
  ...change,
});
const pages = [
  { data: [delivery(5), delivery(4)], nextCursor: 'next' },
  { data: [delivery(2)], nextCursor: 'more' },
];

test('a change replaces what the list shows, on whichever page, also when its filter no longer fits', () => {
  const changed = [delivery(2, { state: 'delivered' }), delivery(5, { state: 'failed' })];
  const merged = mergeDeliveries(pages, changed, ({ state }) => state === 'pending');
  const states = merged.pages.map(({ data }) => data.map(({ state }) => state));
  expect(states).toEqual([['failed', 'pending'], ['delivered']]);
  expect(merged.added).toEqual([]);
});

test('new deliveries that the filter fits come once, those that are not loaded yet not at all', () => {
  const changed = [delivery(6), delivery(8), delivery(7, { state: 'delivered' }), delivery(1)];
  const merged = mergeDeliveries(
    pages,
    [delivery(8, { state: 'failed' }), ...changed],
    ({ state }) => state === 'pending',
  );
  expect(merged.pages).toEqual(pages);
  expect(merged.added.map(({ id }) => id)).toEqual(['dlv_8', 'dlv_6']);
});

test('a delivery that the filter fits later comes into its place among those that are loaded', () => {
  const changed = [delivery(3), delivery(6), delivery(1)];
  const merged = mergeDeliveries(pages, changed, () => true);
  const placed = placeDeliveries(merged.pages, merged.added);
  expect(placed.map(({ data }) => data.map(({ id }) => id))).toEqual([
    ['dlv_6', 'dlv_5', 'dlv_4'],
    ['dlv_3', 'dlv_2'],
  ]);
});

test('nothing is missing from a list that is loaded to its end, also an empty one', () => {
  const [first] = pages;
  for (const data of [first?.data ?? [], []]) {
    const merged = mergeDeliveries([{ data, nextCursor: null }], [delivery(1)], () => true);
    const [placed] = placeDeliveries(merged.pages, merged.added);
    expect(placed?.data).toEqual([...data, delivery(1)]);
  }
});

test('a URL gives the filters that make sense', () => {
  const filters = filtersOf({ webhook: 'whk_1', state: 'lost', event: 'go.click', from: '31.3.' });
  expect(filters).toEqual({ webhook: 'whk_1', event: 'go.click' });
});

test.each([
  [{}, true],
  [{ webhook: 'whk_2' }, false],
  [{ event: 'go.click' as const }, false],
  [{ state: 'undelivered' as const }, true],
  [{ state: 'delivered' as const }, false],
  [{ from: '2026-03-31', to: '2026-03-31' }, true],
  [{ from: '2026-04-02' }, false],
  [{ to: '2026-03-29' }, false],
])('the filters %j fit a waiting delivery: %s', (filters, isMatch) => {
  expect(matches(filters, delivery(1))).toBe(isMatch);
});

test('a query covers both days as a whole', () => {
  const { from = '', to = '' } = toQuery({ from: '2026-03-30', to: '2026-03-31' });
  const hours = (Date.parse(to) - Date.parse(from)) / 3_600_000;
  // 47 or 49 where the clocks change.
  expect(Math.abs(hours - 48)).toBeLessThanOrEqual(1);
});

test('a day ends at midnight also where the clocks change at its beginning', () => {
  vi.stubEnv('TZ', 'America/Santiago');
  expect(toQuery({ from: '2026-09-06', to: '2026-09-06' })).toMatchObject({
    from: '2026-09-06T04:00:00.000Z',
    to: '2026-09-07T03:00:00.000Z',
  });
});
