import { describe, expect, it } from 'vitest';
import { EndpointLanes } from './lanes.ts';
import type { LeasedDelivery } from './store.ts';

function setUp(granted = 0) {
  const clock = { nowMs: 0 };
  const started: string[] = [];
  const asked: number[] = [];
  const lanes = new EndpointLanes({
    concurrency: 2,
    clockMs: () => clock.nowMs,
    takePermits: async (_id, _rate, wanted) => {
      asked.push(wanted);
      return { granted, retryAfterMs: 60_000 };
    },
    start: ({ id }) => void started.push(id),
  });
  const add = (...ids: string[]) => {
    for (const id of ids) lanes.add(deliveryTo('whk_a', id));
  };
  const room = () => lanes.room('whk_a');
  const finish = (answer: Parameters<EndpointLanes['finished']>[1]) =>
    lanes.finished('whk_a', answer);
  return { clock, started, asked, lanes, add, room, finish };
}

function deliveryTo(
  subscriptionId: string,
  id: string,
  rateLimitPerSecond: number | null = null,
): LeasedDelivery {
  return {
    id,
    subscriptionId,
    leaseId: 'lease',
    event: 'go.click',
    body: '{}',
    url: 'https://example.com',
    sealedSecret: '',
    sealedHeaders: null,
    previousSealedSecret: null,
    serviceSignatureSwitchAt: null,
    attemptCount: 0,
    attemptsAllowed: 5,
    eventRequestId: null,
    rateLimitPerSecond,
    takenOver: false,
    failingSince: null,
  };
}

const quick = { durationMs: 5, kind: 'delivered' } as const;
const timedOut = { durationMs: 15_000, kind: 'unanswered' } as const;

describe('an endpoint’s lane', () => {
  it('starts no more at once than it may, and the next when one is finished', () => {
    const { add, started, finish } = setUp();
    add('1', '2', '3');
    expect(started).toEqual(['1', '2']);
    finish(quick);
    expect(started).toEqual(['1', '2', '3']);
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
});
