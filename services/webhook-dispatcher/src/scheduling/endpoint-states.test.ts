import { afterEach, describe, expect, it, vi } from 'vitest';
import { EndpointLanes } from './endpoint-states.ts';
import { leased, testKeyRing } from '../sending/sender.fixture.ts';

/** Each wish for permits is granted the next of these, and then none. */
function setUp(...grants: number[]) {
  const clock = { nowMs: 0 };
  const started: string[] = [];
  const asked: number[] = [];
  const lanes = new EndpointLanes({
    concurrency: 2,
    clockMs: () => clock.nowMs,
    takePermits: async (_id, _rate, wanted) => {
      asked.push(wanted);
      return { granted: grants.shift() ?? 0, retryAfterMs: 60_000 };
    },
    start: ({ id }) => void started.push(id),
  });
  const add = (...ids: string[]) => {
    for (const id of ids) lanes.add(deliveryTo('whk_a', id));
  };
  const addPaced = (rate: number, ...ids: string[]) => {
    for (const id of ids) lanes.add(deliveryTo('whk_a', id, rate));
  };
  const room = () => lanes.room('whk_a');
  const finish = (answer: Parameters<EndpointLanes['finished']>[1]) =>
    lanes.finished('whk_a', answer);
  /** Makes the endpoint answer as often. */
  const answer = (times: number, result: Parameters<EndpointLanes['finished']>[1]) => {
    for (let i = 0; i < times; i += 1) {
      add('answered');
      finish(result);
    }
    started.length = 0;
  };
  return { clock, started, asked, lanes, add, addPaced, room, finish, answer };
}

const keyRing = testKeyRing();

function deliveryTo(subscriptionId: string, id: string, rateLimitPerSecond: number | null = null) {
  const endpoint = { rateLimitPerSecond };
  return leased(keyRing, 'https://example.com', { id, subscriptionId, endpoint });
}

const quick = { durationMs: 5, kind: 'delivered' } as const;
const refused = { durationMs: 5, kind: 'refused' } as const;
const slow = { durationMs: 1_500, kind: 'delivered' } as const;
const timedOut = { durationMs: 15_000, kind: 'unanswered' } as const;

afterEach(() => vi.useRealTimers());

describe('an endpoint’s lane', () => {
  it('starts no more at once than it may, and the next when one is finished or not made', () => {
    const { add, started, finish, lanes } = setUp();
    add('1', '2', '3', '4');
    expect(started).toEqual(['1', '2']);
    finish(quick);
    expect(started).toEqual(['1', '2', '3']);
    lanes.abandoned('whk_a');
    expect(started).toEqual(['1', '2', '3', '4']);
  });

  it('starts no more at once than its window or the setting allows, whichever is less', () => {
    const fast = setUp();
    fast.answer(5, quick);
    fast.add('1', '2', '3');
    expect(fast.started).toEqual(['1', '2']);
    const bad = setUp();
    bad.answer(1, timedOut);
    bad.add('1', '2');
    expect(bad.started).toEqual(['1']);
  });

  it('may hold from one to two hundred', () => {
    const { answer, room } = setUp();
    answer(4, timedOut);
    expect(room()).toBe(1);
    answer(300, quick);
    expect(room()).toBe(200);
  });

  it('may hold more after a quick refusal, not after a late answer', () => {
    const { answer, lanes, room } = setUp();
    answer(1, refused);
    expect([room(), lanes.standing('whk_a')]).toEqual([3, 'proven']);
    answer(1, slow);
    expect([room(), lanes.standing('whk_a')]).toEqual([3, 'slow']);
  });

  it('may hold more with each quick answer and half of it after a timeout', () => {
    const { add, finish, room } = setUp();
    add('1', '2');
    expect(room()).toBe(0);
    finish(quick);
    finish(quick);
    expect(room()).toBe(4);
    add('3', '4');
    finish(timedOut);
    finish(timedOut);
    expect(room()).toBe(1);
  });

  it('gives back what waits behind requests that hang', () => {
    const { add, clock, lanes } = setUp();
    add('1', '2', '3');
    clock.nowMs = 500;
    expect(lanes.takeStalled()).toEqual([]);
    clock.nowMs = 1_500;
    expect(lanes.takeStalled().map(({ id }) => id)).toEqual(['3']);
  });

  it('holds no more than it may start once it has stalled', () => {
    const { add, answer, clock, finish, lanes, room } = setUp();
    answer(10, quick);
    add('1', '2', '3');
    clock.nowMs = 1_500;
    lanes.takeStalled();
    finish(slow);
    finish(slow);
    expect(room()).toBe(2);
  });

  it('leaves other endpoints alone and is forgotten after a while of rest', () => {
    const { add, clock, finish, lanes, started } = setUp();
    add('1', '2', '3');
    lanes.add(deliveryTo('whk_b', '4'));
    expect(started).toEqual(['1', '2', '4']);
    lanes.finished('whk_b', quick);
    expect(lanes.room('whk_b')).toBe(3);
    finish(quick);
    clock.nowMs = 20_000;
    lanes.forgetIdle();
    expect(lanes.room('whk_b')).toBe(2);
  });

  it('is remembered while it has something to do, and for an hour when it answers badly', () => {
    const busy = setUp();
    busy.answer(1, quick);
    busy.add('1');
    const expecting = setUp();
    expecting.answer(1, quick);
    expecting.lanes.reserve('whk_a');
    const bad = setUp();
    bad.answer(1, timedOut);
    for (const { clock, lanes } of [busy, expecting, bad]) {
      clock.nowMs = 3_500_000;
      lanes.forgetIdle();
    }
    expect(busy.lanes.standing('whk_a')).toBe('proven');
    expect(expecting.lanes.standing('whk_a')).toBe('proven');
    expect(bad.lanes.standing('whk_a')).toBe('slow');
    bad.clock.nowMs = 3_700_000;
    bad.lanes.forgetIdle();
    expect(bad.lanes.standing('whk_a')).toBe('unknown');
  });

  it('tries one although it could take many when its circuit was open', () => {
    const { add, answer, clock, room, started } = setUp();
    answer(20, refused);
    clock.nowMs = 1_000;
    expect(room()).toBe(1);
    add('trial', 'next');
    expect(started).toEqual(['trial']);
  });

  it('takes nothing while its circuit is open, and one to try when that is over', () => {
    const { add, clock, finish, lanes, room, started } = setUp();
    for (let i = 0; i < 5; i += 1) {
      add(`${i}`);
      finish(timedOut);
    }
    expect(room()).toBe(0);
    add('waits');
    expect(started).not.toContain('waits');
    expect(lanes.takeStalled().map(({ id }) => id)).toEqual(['waits']);
    clock.nowMs = 1_000;
    expect(room()).toBe(1);
    add('trial', 'next');
    expect(started.slice(5)).toEqual(['trial']);
    finish(quick);
    expect(started.slice(5)).toEqual(['trial', 'next']);
  });

  it('is unknown, then proven by a quick answer, and slow once it hangs', () => {
    const { add, clock, finish, lanes } = setUp();
    const standing = () => [lanes.standing('whk_a'), lanes.held('unknown'), lanes.held('slow')];
    add('1', '2');
    expect(standing()).toEqual(['unknown', 2, 0]);
    finish(quick);
    expect(standing()).toEqual(['proven', 0, 0]);
    clock.nowMs = 1_500;
    lanes.takeStalled();
    expect(standing()).toEqual(['slow', 0, 1]);
  });

  it('starts only what its rate allows', async () => {
    const { lanes, started, asked } = setUp(1);
    lanes.add(deliveryTo('whk_a', '1', 50));
    await Promise.resolve();
    expect(started).toEqual(['1']);
    const none = setUp(0);
    none.lanes.add(deliveryTo('whk_a', '1', 50));
    await Promise.resolve();
    expect(none.started).toEqual([]);
    expect([asked, none.asked]).toEqual([[1], [1]]);
  });

  it('asks once at a time, and again for what was not granted', async () => {
    vi.useFakeTimers();
    const { addPaced, asked, started } = setUp(1, 0, 1);
    addPaced(50, '1', '2');
    await vi.advanceTimersByTimeAsync(0);
    expect([started, asked]).toEqual([['1'], [1, 1]]);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(started).toEqual(['1', '2']);
    expect(asked).toEqual([1, 1, 1]);
  });

  it('keeps the permit of what was not started after all', async () => {
    const { addPaced, asked, lanes, started } = setUp(1);
    addPaced(50, '1');
    await Promise.resolve();
    lanes.abandoned('whk_a');
    addPaced(50, '2');
    expect([started, asked]).toEqual([['1', '2'], [1]]);
  });

  it('holds no more than a second’s worth of its rate, which may take its time', () => {
    const { addPaced, answer, clock, lanes, room } = setUp();
    answer(10, quick);
    addPaced(3, '1');
    expect(room()).toBe(2);
    clock.nowMs = 1_500;
    expect(lanes.takeStalled()).toEqual([]);
  });
});
