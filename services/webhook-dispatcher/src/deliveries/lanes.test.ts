import { describe, expect, it } from 'vitest';
import { EndpointLanes } from './lanes.ts';
import type { LeasedDelivery } from './store.ts';

function setUp() {
  const clock = { nowMs: 0 };
  const started: string[] = [];
  const lanes = new EndpointLanes({
    concurrency: 2,
    clockMs: () => clock.nowMs,
    start: ({ id }) => void started.push(id),
  });
  const add = (...ids: string[]) => {
    for (const id of ids) lanes.add(deliveryTo('whk_a', id));
  };
  const room = () => lanes.rooms().get('whk_a');
  const finish = (answer: { durationMs: number; timedOut: boolean }) =>
    lanes.finished('whk_a', answer);
  return { clock, started, lanes, add, room, finish };
}

function deliveryTo(subscriptionId: string, id: string): LeasedDelivery {
  return {
    id,
    subscriptionId,
    leaseId: 'lease',
    event: 'go.click',
    body: '{}',
    url: 'https://example.com',
    sealedSecret: '',
    attemptCount: 0,
    eventRequestId: null,
  };
}

const quick = { durationMs: 5, timedOut: false };
const timedOut = { durationMs: 15_000, timedOut: true };

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
    finish(quick);
    clock.nowMs = 20_000;
    lanes.forgetIdle();
    expect([...lanes.rooms().keys()]).toEqual(['whk_a']);
  });
});
