import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  deliveryTo,
  failed,
  quick,
  type Result,
  setUp,
  slow,
  timedOut,
} from './endpoint-queues.fixture.ts';

afterEach(() => vi.useRealTimers());

describe('the queue of an endpoint', () => {
  it('starts the next delivery when one in flight is finished or cancelled', () => {
    const { add, started, finish, queues } = setUp();
    add('1', '2', '3', '4');
    expect(started).toEqual(['1', '2']);
    finish(quick);
    expect(started).toEqual(['1', '2', '3']);
    queues.cancel(deliveryTo('whk_a', '2'));
    expect(started).toEqual(['1', '2', '3', '4']);
  });

  it('starts no more at once than its window and the concurrency limit allow', () => {
    const fast = setUp();
    fast.answer(5, quick);
    fast.add('1', '2', '3');
    expect(fast.started).toEqual(['1', '2']);
    const bad = setUp();
    bad.answer(1, timedOut);
    bad.add('1', '2');
    expect(bad.started).toEqual(['1']);
  });

  it('has a window of 1 to 200', () => {
    const { answer, freeSlots } = setUp();
    answer(4, timedOut);
    expect(freeSlots()).toBe(1);
    answer(300, quick);
    expect(freeSlots()).toBe(200);
  });

  it('widens its window after a quick error response, and not after a late answer', () => {
    const { answer, queues, freeSlots } = setUp();
    answer(1, failed);
    expect([freeSlots(), queues.stateOf('whk_a')]).toEqual([3, 'healthy']);
    answer(1, slow);
    expect([freeSlots(), queues.stateOf('whk_a')]).toEqual([3, 'slow']);
  });

  it('widens its window with each quick answer and halves it after a timeout', () => {
    const { add, finish, freeSlots } = setUp();
    add('1', '2');
    expect(freeSlots()).toBe(0);
    finish(quick);
    finish(quick);
    expect(freeSlots()).toBe(4);
    add('3', '4');
    finish(timedOut);
    finish(timedOut);
    expect(freeSlots()).toBe(1);
  });

  it('takes more once half of its window is free or nothing waits', () => {
    const { add, answer, finish, freeSlots } = setUp();
    answer(6, quick);
    add('1', '2', '3', '4', '5');
    expect(freeSlots()).toBe(0);
    finish(quick);
    expect(freeSlots()).toBe(5);
    const narrow = setUp();
    narrow.answer(1, quick);
    narrow.add('1', '2');
    expect(narrow.freeSlots()).toBe(1);
  });

  it('returns what waits behind requests that hang', () => {
    const { add, clock, queues } = setUp();
    add('1', '2', '3');
    clock.nowMs = 500;
    expect(queues.takeStalled()).toEqual([]);
    clock.nowMs = 1_500;
    expect(queues.takeStalled().map(({ id }) => id)).toEqual(['3']);
  });

  it('narrows its window to the concurrency limit once it has stalled', () => {
    const { add, answer, clock, finish, queues, freeSlots } = setUp();
    answer(10, quick);
    add('1', '2', '3');
    clock.nowMs = 1_500;
    queues.takeStalled();
    finish(slow);
    finish(slow);
    expect(freeSlots()).toBe(2);
  });

  it('does not affect other endpoints, and is removed after 10 s without work', () => {
    const { add, clock, finish, queues, started } = setUp();
    add('1', '2', '3');
    queues.add(deliveryTo('whk_b', '4'));
    expect(started).toEqual(['1', '2', '4']);
    finish(quick, 'whk_b');
    expect(queues.freeSlots('whk_b')).toBe(3);
    finish(quick);
    clock.nowMs = 20_000;
    queues.removeIdle();
    expect(queues.freeSlots('whk_b')).toBe(2);
  });

  it('is kept while it has work, and for an hour when the endpoint is slow', () => {
    const busy = setUp();
    busy.answer(1, quick);
    busy.add('1');
    const bad = setUp();
    bad.answer(1, timedOut);
    for (const { clock, queues } of [busy, bad]) {
      clock.nowMs = 3_500_000;
      queues.removeIdle();
    }
    expect(busy.queues.stateOf('whk_a')).toBe('healthy');
    expect(bad.queues.stateOf('whk_a')).toBe('slow');
    bad.clock.nowMs = 3_700_000;
    bad.queues.removeIdle();
    expect(bad.queues.stateOf('whk_a')).toBe('unknown');
  });

  it('starts one trial when its circuit is half-open', () => {
    const { add, answer, clock, freeSlots, started } = setUp();
    answer(20, failed);
    clock.nowMs = 1_000;
    expect(freeSlots()).toBe(1);
    add('trial', 'next');
    expect(started).toEqual(['trial']);
  });

  it('counts no failure of what was sent now, and closes its circuit when that succeeds', () => {
    const { answer, clock, finish, freeSlots, queues } = setUp();
    const sendNow = (result: Result) => {
      queues.sendNow(deliveryTo('whk_a', 'now'));
      finish(result, 'whk_a', 'now');
    };
    answer(19, failed);
    sendNow(failed);
    expect(queues.countCircuits()).toMatchObject({ closed: 1 });
    answer(1, failed);
    expect(queues.countCircuits()).toMatchObject({ open: 1 });
    clock.nowMs = 1_000;
    sendNow(timedOut);
    expect([freeSlots(), queues.countCircuits()['half-open']]).toEqual([1, 1]);
    answer(1, failed);
    expect(freeSlots()).toBe(0);
    sendNow(quick);
    expect(queues.countCircuits()).toMatchObject({ closed: 1 });
  });

  it('starts nothing while its circuit is open, then one trial', () => {
    const { add, clock, finish, queues, freeSlots, started } = setUp();
    for (let i = 0; i < 5; i += 1) {
      add(`${i}`);
      finish(timedOut);
    }
    expect(freeSlots()).toBe(0);
    add('waits');
    expect(started).not.toContain('waits');
    expect(queues.takeStalled().map(({ id }) => id)).toEqual(['waits']);
    clock.nowMs = 1_000;
    expect(freeSlots()).toBe(1);
    add('trial', 'next');
    expect(started.slice(5)).toEqual(['trial']);
    finish(quick);
    expect(started.slice(5)).toEqual(['trial', 'next']);
  });

  it('is unknown at first, healthy after a quick answer, slow once it hangs', () => {
    const { add, clock, finish, queues } = setUp();
    const state = () => [
      queues.stateOf('whk_a'),
      queues.countHeld('unknown'),
      queues.countHeld('slow'),
    ];
    add('1', '2');
    expect(state()).toEqual(['unknown', 2, 0]);
    finish(quick);
    expect(state()).toEqual(['healthy', 0, 0]);
    clock.nowMs = 1_500;
    queues.takeStalled();
    expect(state()).toEqual(['slow', 0, 1]);
  });

  it('starts only what its rate limit allows', async () => {
    const { queues, started, asked } = setUp(1);
    queues.add(deliveryTo('whk_a', '1', 50));
    await Promise.resolve();
    expect(started).toEqual(['1']);
    const none = setUp(0);
    none.queues.add(deliveryTo('whk_a', '1', 50));
    await Promise.resolve();
    expect(none.started).toEqual([]);
    expect([asked, none.asked]).toEqual([[1], [1]]);
  });

  it('asks for permits one request at a time, and again when none was granted', async () => {
    vi.useFakeTimers();
    const { addLimited, asked, started } = setUp(1, 0, 1);
    addLimited(50, '1', '2');
    await vi.advanceTimersByTimeAsync(0);
    expect([started, asked]).toEqual([['1'], [1, 1]]);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(started).toEqual(['1', '2']);
    expect(asked).toEqual([1, 1, 1]);
  });

  it('keeps the permit of a cancelled delivery', async () => {
    const { addLimited, asked, queues, started } = setUp(1);
    addLimited(50, '1');
    await Promise.resolve();
    queues.cancel(deliveryTo('whk_a', '1'));
    addLimited(50, '2');
    expect([started, asked]).toEqual([['1', '2'], [1]]);
  });

  it('gains no permit when what was sent now is cancelled', async () => {
    const { addLimited, asked, queues, started } = setUp(1);
    addLimited(50, '1');
    await Promise.resolve();
    queues.sendNow(deliveryTo('whk_a', 'now', 50));
    queues.cancel(deliveryTo('whk_a', 'now', 50));
    addLimited(50, '2');
    expect([started, asked]).toEqual([
      ['1', 'now'],
      [1, 1],
    ]);
  });

  it('holds at most one second of its rate limit, and is not stalled while it waits for permits', () => {
    const { addLimited, answer, clock, queues, freeSlots } = setUp();
    answer(10, quick);
    addLimited(3, '1');
    expect(freeSlots()).toBe(2);
    clock.nowMs = 1_500;
    expect(queues.takeStalled()).toEqual([]);
  });
});
