import { describe, expect, it } from 'vitest';
import { leased, testKeyRing } from '../sending/sender.fixture.ts';
import { EndpointQueues } from '../endpoints/endpoint-queues.ts';
import { measure, type Round, RoundRobinScheduler } from './round-robin.ts';

const SLOTS = 10;
const keyRing = testKeyRing();

function setUp(concurrency = SLOTS) {
  const scheduler = new RoundRobinScheduler();
  const endpoints = new EndpointQueues({
    concurrency: 200,
    clockMs: () => 0,
    takePermits: async () => ({ granted: 0, retryAfterMs: 60_000 }),
    start: () => undefined,
  });
  const held = { count: 0, bytes: 0, unhealthyBytes: 0, accountBytes: new Map<string, number>() };
  const hold = (id: string, count: number) => {
    held.count += count;
    for (let i = 0; i < count; i += 1) {
      endpoints.add(leased(keyRing, 'https://example.com', { subscriptionId: id }));
    }
  };
  /** Makes the endpoint answer this many times. */
  const answer = (id: string, count: number, durationMs: number) => {
    for (let i = 0; i < count; i += 1) {
      endpoints.add(leased(keyRing, 'https://example.com', { subscriptionId: id }));
      endpoints.finish({
        subscriptionId: id,
        deliveryId: '',
        durationMs,
        outcome: 'delivered',
        status: 204,
      });
    }
  };
  const next = () => scheduler.nextRound(endpoints, held, concurrency);
  return { scheduler, endpoints, held, hold, answer, next };
}

const numbered = (count: number) => Array.from({ length: count }, (_, n) => `whk_${n}`);
const idsOf = ({ slots }: Round) => [...slots.keys()];
const rowOf = (subscriptionId: string, bodyBytes = 1_000) => ({ subscriptionId, bodyBytes });
/** What a lease returns that finds this many rows of each endpoint. */
const rowsOf = (round: Round, count = Number.POSITIVE_INFINITY) =>
  [...round.slots].flatMap(([subscriptionId, slots]) =>
    Array.from({ length: Math.min(slots, count) }, () => rowOf(subscriptionId)),
  );

describe('the round-robin scheduler', () => {
  it('serves all other endpoints before it serves one again', () => {
    const { scheduler, next } = setUp(1_000);
    const ids = numbered(300);
    scheduler.add(ids);
    const first = next();
    expect(idsOf(first)).toEqual(ids.slice(0, 200));
    scheduler.completeRound(first, rowsOf(first));
    const second = next();
    expect(idsOf(second)).toEqual([...ids.slice(200, 250), ...ids.slice(0, 150)]);
    scheduler.completeRound(second, rowsOf(second));
    expect(idsOf(next())).toEqual([...ids.slice(250), ...ids.slice(150, 250), ...ids.slice(0, 50)]);
  });

  it('serves an endpoint that was idle before those with a backlog, once', () => {
    const { scheduler, answer, next } = setUp(100);
    const backlogged = numbered(10);
    for (const id of [...backlogged, 'whk_idle']) answer(id, 50, 5);
    scheduler.add(backlogged);
    const first = next();
    scheduler.completeRound(first, rowsOf(first));
    scheduler.add(['whk_idle']);
    const second = next();
    expect([...second.slots].slice(0, 3)).toEqual([
      ['whk_idle', 2],
      ['whk_0', 20],
      ['whk_1', 20],
    ]);
    scheduler.completeRound(second, rowsOf(second).slice(0, second.limit));
    const reached = backlogged.slice(0, 5);
    expect(idsOf(next())).toEqual([...backlogged.slice(5), 'whk_idle', ...reached]);
  });

  it('leaves out an endpoint that gave less than asked for until it is added again', () => {
    const { scheduler, next } = setUp();
    scheduler.add(['whk_a', 'whk_b']);
    const round = next();
    expect([...round.slots]).toEqual([
      ['whk_a', 2],
      ['whk_b', 2],
    ]);
    const [row = rowOf('')] = rowsOf(round);
    scheduler.completeRound(round, [row, rowOf('whk_b'), rowOf('whk_b')]);
    expect(idsOf(next())).toEqual(['whk_b']);
    scheduler.add(['whk_a']);
    expect(idsOf(next())).toEqual(['whk_a', 'whk_b']);
  });

  it('serves an endpoint again that was added while the lease was under way', () => {
    const { scheduler, next } = setUp();
    scheduler.add(['whk_a', 'whk_b']);
    const round = next();
    scheduler.add(['whk_a']);
    scheduler.completeRound(round, []);
    expect(idsOf(next())).toEqual(['whk_a']);
  });

  it('serves those first that a full lease did not reach', () => {
    const { scheduler, answer, next } = setUp(2);
    for (const id of ['whk_a', 'whk_b', 'whk_c']) answer(id, 2, 5);
    scheduler.add(['whk_a', 'whk_b', 'whk_c']);
    const round = next();
    expect([idsOf(round), round.limit]).toEqual([['whk_a', 'whk_b', 'whk_c'], 2]);
    scheduler.completeRound(round, [rowOf('whk_b'), rowOf('whk_b')]);
    // whk_a had nothing, and whk_b may have more.
    expect(idsOf(next())).toEqual(['whk_c', 'whk_b']);
  });

  it('serves those first that a lease full of large bodies did not reach', () => {
    const { scheduler, next } = setUp();
    scheduler.add(['whk_a', 'whk_b', 'whk_c']);
    const round = next();
    scheduler.completeRound(round, [rowOf('whk_a', round.bytes), rowOf('whk_a')]);
    expect(idsOf(next())).toEqual(['whk_b', 'whk_c', 'whk_a']);
  });
});

describe('the slots of a worker', () => {
  it('are counted apart for unknown, slow and healthy endpoints', () => {
    const { scheduler, answer, next } = setUp();
    const known = numbered(20).map((id) => `slow_${id}`);
    for (const id of known) answer(id, 1, 5_000);
    answer('quick', 50, 5);
    scheduler.add([...numbered(20), ...known, 'quick']);
    const { slots, limit } = next();
    const share = (prefix: string) =>
      [...slots].reduce((sum, [id, count]) => sum + (id.startsWith(prefix) ? count : 0), 0);
    expect([share('whk_'), share('slow_'), share('quick')]).toEqual([SLOTS, SLOTS, SLOTS]);
    expect(limit).toBe(3 * SLOTS);
  });

  it('are not given out twice', () => {
    const { scheduler, answer, hold, next } = setUp();
    answer('slow', 1, 5_000);
    answer('slow_too', 1, 5_000);
    answer('quick', 50, 5);
    hold('slow', SLOTS);
    hold('new', SLOTS);
    scheduler.add(['slow_too', 'new_too']);
    expect(next().limit).toBe(SLOTS);
    expect(idsOf(next())).toEqual([]);
    // Slow and unknown endpoints use no slots of healthy ones.
    scheduler.add(['quick']);
    expect([...next().slots]).toEqual([['quick', SLOTS]]);
  });

  it('are as few as there is memory for bodies, half of it for healthy endpoints', () => {
    const { scheduler, held, answer, next } = setUp();
    answer('quick', 50, 5);
    scheduler.add(['quick', 'new']);
    held.bytes = held.unhealthyBytes = 15_999_999;
    expect(next()).toMatchObject({ limit: SLOTS + 2, bytes: 2_000_000 });
    held.bytes = held.unhealthyBytes = 16_000_000;
    expect(idsOf(next())).toEqual(['quick']);
    held.bytes = 31_000_000;
    expect(next().bytes).toBe(1_000_000);
    held.bytes = 32_000_000;
    expect(idsOf(next())).toEqual([]);
  });

  it('are not given to any endpoint of an account that holds its share of the memory', () => {
    const { scheduler, endpoints } = setUp();
    const deliveryTo = (subscriptionId: string, bodyBytes: number) =>
      leased(keyRing, 'https://example.com', {
        subscriptionId,
        bodyBytes,
        endpoint: { accountId: subscriptionId.slice(0, 'usr_1'.length) },
      });
    const queued = [
      deliveryTo('usr_1 whk_a', 1_000_000),
      deliveryTo('usr_1 whk_b', 999_999),
      deliveryTo('usr_2 whk_a', 1_000),
    ];
    for (const delivery of queued) endpoints.add(delivery);
    const offered = () => idsOf(scheduler.nextRound(endpoints, measure(queued, endpoints), SLOTS));
    const ids = ['usr_1 whk_a', 'usr_1 whk_b', 'usr_2 whk_a'];
    scheduler.add(ids);
    expect(offered()).toEqual(ids);
    queued.push(deliveryTo('usr_1 whk_b', 1));
    expect(offered()).toEqual(['usr_2 whk_a']);
    queued.shift();
    expect(offered()).toEqual(ids);
  });

  it('are given to healthy endpoints only when half of a lease is free', () => {
    const { scheduler, answer, hold, next } = setUp();
    answer('quick', 50, 5);
    scheduler.add(['quick']);
    hold('quick', SLOTS / 2 + 1);
    expect(next()).toMatchObject({ slots: new Map(), limit: 0 });
  });

  it('are not given to unknown endpoints while slow ones hold four times as many', () => {
    const { scheduler, answer, hold, next } = setUp();
    answer('slow', 1, 5_000);
    scheduler.add(['new']);
    hold('slow', 4 * SLOTS - 1);
    expect(idsOf(next())).toEqual(['new']);
    hold('slow', 1);
    expect(idsOf(next())).toEqual([]);
  });
});
