import { describe, expect, it } from 'vitest';
import { EndpointLanes } from './endpoint-states.ts';
import { leased, testKeyRing } from '../sending/sender.fixture.ts';
import { EndpointTurns, type Turn } from './round-robin.ts';

const PLACES = 10;
const keyRing = testKeyRing();

function setUp(places = PLACES) {
  const turns = new EndpointTurns();
  const lanes = new EndpointLanes({
    concurrency: 200,
    clockMs: () => 0,
    takePermits: async () => ({ granted: 0, retryAfterMs: 60_000 }),
    start: () => undefined,
  });
  let heldCount = 0;
  const hold = (id: string, count: number) => {
    heldCount += count;
    for (let i = 0; i < count; i += 1) {
      lanes.add(leased(keyRing, 'https://example.com', { subscriptionId: id }));
    }
  };
  /** Makes the endpoint answer as often. */
  const answer = (id: string, count: number, durationMs: number) => {
    for (let i = 0; i < count; i += 1) {
      lanes.add(leased(keyRing, 'https://example.com', { subscriptionId: id }));
      lanes.finished(id, { durationMs, kind: 'delivered' });
    }
  };
  const next = () => turns.next(lanes, heldCount, places);
  return { turns, hold, answer, next };
}

const numbered = (count: number) => Array.from({ length: count }, (_, n) => `whk_${n}`);
const idsOf = ({ rooms }: Turn) => [...rooms.keys()];
/** What a lease gives that finds so many rows of each endpoint. */
const rowsOf = (turn: Turn, count = Number.POSITIVE_INFINITY) =>
  [...turn.rooms].flatMap(([subscriptionId, room]) =>
    Array.from({ length: Math.min(room, count) }, () => ({ subscriptionId })),
  );

describe('the turns of endpoints', () => {
  it('come round: who had one waits for all others', () => {
    const { turns, next } = setUp(1_000);
    const ids = numbered(300);
    turns.add(ids);
    const first = next();
    expect(idsOf(first)).toEqual(ids.slice(0, 200));
    turns.taken(first, rowsOf(first));
    expect(idsOf(next())).toEqual([...ids.slice(200), ...ids.slice(0, 100)]);
  });

  it('end when an endpoint gave less than it might, until it is woken', () => {
    const { turns, next } = setUp();
    turns.add(['whk_a', 'whk_b']);
    const turn = next();
    expect([...turn.rooms]).toEqual([
      ['whk_a', 2],
      ['whk_b', 2],
    ]);
    const [row = { subscriptionId: '' }] = rowsOf(turn);
    turns.taken(turn, [row, { subscriptionId: 'whk_b' }, { subscriptionId: 'whk_b' }]);
    expect(idsOf(next())).toEqual(['whk_b']);
    turns.add(['whk_a']);
    expect(idsOf(next())).toEqual(['whk_b', 'whk_a']);
  });

  it('go on when an endpoint was woken while the lease was under way', () => {
    const { turns, next } = setUp();
    turns.add(['whk_a', 'whk_b']);
    const turn = next();
    turns.add(['whk_a']);
    turns.taken(turn, []);
    expect(idsOf(next())).toEqual(['whk_a']);
  });

  it('go on when the lease was full before it came to all', () => {
    const { turns, answer, next } = setUp(2);
    answer('whk_a', 2, 5);
    answer('whk_b', 2, 5);
    turns.add(['whk_a', 'whk_b']);
    const turn = next();
    expect(turn.limit).toBe(2);
    turns.taken(turn, [{ subscriptionId: 'whk_a' }, { subscriptionId: 'whk_a' }]);
    expect(idsOf(next())).toEqual(['whk_a', 'whk_b']);
  });
});

describe('the places of a worker', () => {
  it('are as many for endpoints that are unknown, for slow ones and for those that answer', () => {
    const { turns, answer, next } = setUp();
    const known = numbered(20).map((id) => `slow_${id}`);
    for (const id of known) answer(id, 1, 5_000);
    answer('quick', 50, 5);
    turns.add([...numbered(20), ...known, 'quick']);
    const { rooms, limit } = next();
    const share = (prefix: string) =>
      [...rooms].reduce((sum, [id, room]) => sum + (id.startsWith(prefix) ? room : 0), 0);
    expect([share('whk_'), share('slow_'), share('quick')]).toEqual([PLACES, PLACES, PLACES]);
    expect(limit).toBe(3 * PLACES);
  });

  it('are not given twice', () => {
    const { turns, answer, hold, next } = setUp();
    answer('slow', 1, 5_000);
    answer('slow_too', 1, 5_000);
    answer('quick', 50, 5);
    hold('slow', PLACES);
    hold('new', PLACES);
    turns.add(['slow_too', 'new_too']);
    expect(next().limit).toBe(PLACES);
    expect(idsOf(next())).toEqual([]);
    // What slow and unknown endpoints hold takes none of the others' places.
    turns.add(['quick']);
    expect([...next().rooms]).toEqual([['quick', PLACES]]);
  });

  it('are given to endpoints that answer only when half of a lease is free', () => {
    const { turns, answer, hold, next } = setUp();
    answer('quick', 50, 5);
    turns.add(['quick']);
    hold('quick', PLACES / 2 + 1);
    expect(next()).toEqual({ rooms: new Map(), limit: 0 });
  });

  it('are given to no new endpoint while slow ones hold four times as many', () => {
    const { turns, answer, hold, next } = setUp();
    answer('slow', 1, 5_000);
    turns.add(['new']);
    hold('slow', 4 * PLACES - 1);
    expect(idsOf(next())).toEqual(['new']);
    hold('slow', 1);
    expect(idsOf(next())).toEqual([]);
  });
});
