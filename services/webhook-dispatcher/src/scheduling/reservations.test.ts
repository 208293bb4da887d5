import { until } from '@atrium/testkit/until';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { delivery, setUpDrain } from './delivery-loop.fixture.ts';

// No scan comes by itself.
beforeEach(() => vi.useFakeTimers({ toFake: ['Date'] }));
afterEach(() => vi.useRealTimers());

/** A drain whose endpoint has answered as often in good time, and has nothing waiting. */
async function provenDrain(answers = 1) {
  const parts = setUpDrain();
  const { drain, comeDue, answer, begun } = parts;
  const warm = Array.from({ length: answers }, (_, n) => `warm-${n}`);
  for (const id of warm) {
    comeDue(delivery(id));
    await until(() => begun.includes(id));
    answer(id);
    await until(() => drain.heldCount === 0);
  }
  await until(() => reserve(drain, 'probe') === 1);
  begun.length = 0;
  return parts;
}

/** How many of these get a place. */
function reserve(drain: ReturnType<typeof setUpDrain>['drain'], ...ids: string[]): number {
  using reservation = drain.reserve(ids.map((id) => delivery(id)));
  return reservation.ids.size;
}

describe('a place for a delivery that is about to be stored', () => {
  it('is kept at an endpoint that answers in good time: what is stored begins at once', async () => {
    const { drain, answer, begun, leases, settled } = await provenDrain();
    await using _drain = drain;
    const before = leases.length;
    using reservation = drain.reserve([delivery('new')]);
    expect(begun).toEqual([]);
    reservation.start([delivery('new')]);
    expect(begun).toEqual(['new']);
    answer('new');
    await until(() => settled.includes('new stored'));
    expect(leases.length).toBe(before);
  });

  it('is not kept at an endpoint that nobody knows yet', async () => {
    const { drain } = setUpDrain();
    await using _drain = drain;
    expect(reserve(drain, 'new')).toBe(0);
  });

  it('is not kept at an endpoint that answered late', async () => {
    const { drain, comeDue, answer, begun } = await provenDrain();
    await using _drain = drain;
    comeDue(delivery('late'));
    await until(() => begun.includes('late'));
    answer('late', { durationMs: 1_500 });
    await until(() => drain.heldCount === 0);
    expect(reserve(drain, 'new')).toBe(0);
  });

  it('is not kept where something older may wait for its turn', async () => {
    const { drain } = await provenDrain();
    await using _drain = drain;
    drain.wake(['whk_1']);
    expect(reserve(drain, 'new')).toBe(0);
  });

  it('is one of as many as the endpoint has room for, until it is given back', async () => {
    const { drain, answer } = await provenDrain(3);
    await using _drain = drain;
    const ids = Array.from({ length: 20 }, (_, n) => `new-${n}`);
    const room = reserve(drain, ...ids);
    expect(room).toBeGreaterThan(1);
    expect(room).toBeLessThan(20);
    {
      using first = drain.reserve([delivery('one')]);
      expect(first.ids.size).toBe(1);
      expect(reserve(drain, ...ids)).toBe(room - 1);
      first.start([delivery('one')]);
    }
    expect(reserve(drain, ...ids)).toBe(room - 1);
    answer('one');
  });

  it('is one of as many as the worker holds', async () => {
    const { drain, answer, released } = await provenDrain(3);
    expect(reserve(drain, 'a', 'b')).toBe(2);
    const elsewhere = Array.from({ length: 99 }, (_, n) => delivery(`elsewhere-${n}`));
    {
      using reservation = drain.reserve([]);
      reservation.start(elsewhere.map((other) => ({ ...other, subscriptionId: 'whk_2' })));
    }
    expect(reserve(drain, 'a', 'b')).toBe(1);
    const ended = drain[Symbol.asyncDispose]();
    await until(() => released.length === 98);
    answer('elsewhere-0');
    await ended;
  });

  it('is not kept while results wait for Postgres', async () => {
    const { drain, answer, db } = await provenDrain(2);
    await using _drain = drain;
    {
      using reservation = drain.reserve([delivery('new')]);
      reservation.start([delivery('new')]);
    }
    db.isAway = true;
    answer('new');
    await until(() => db.failures > 0);
    expect(reserve(drain, 'later')).toBe(0);
    db.isAway = false;
  });

  it('is not kept by a worker that is ending, and begins nothing once that has ended', async () => {
    const { drain, begun } = await provenDrain();
    using reservation = drain.reserve([delivery('stored-late')]);
    expect(reservation.ids.size).toBe(1);
    drain.stopLeasing();
    expect(reserve(drain, 'new')).toBe(0);
    await drain[Symbol.asyncDispose]();
    reservation.start([delivery('stored-late')]);
    expect([begun, drain.heldCount]).toEqual([[], 0]);
  });
});
