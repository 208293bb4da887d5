import { until } from '@atrium/testkit/until';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { delivery, setUpDrain } from './delivery-loop.fixture.ts';

// The clock stands still but for what a test says: nothing stalls, and no scan comes, by itself.
beforeEach(() => vi.useFakeTimers({ toFake: ['Date'] }));
afterEach(() => vi.useRealTimers());
const advance = (ms: number) => vi.setSystemTime(Date.now() + ms);

describe('the drain', () => {
  it('begins nothing whose lease may end before the answer: it gives it back', async () => {
    const { drain, comeDue, answer, begun, released } = setUpDrain();
    await using _drain = drain;
    comeDue(delivery('first'), delivery('waits'));
    await until(() => begun.length === 1);
    // As long as the request may take, the lease lasts no more: another worker might send it too.
    advance(5_001);
    answer('first');
    await until(() => released.includes('waits'));
    expect(begun).toEqual(['first']);
  });

  it('makes one attempt of what it has leased a second time', async () => {
    const { drain, comeDue, answer, begun, leases, settled } = setUpDrain();
    await using _drain = drain;
    comeDue(delivery('warm'));
    await until(() => begun.length === 1);
    answer('warm');
    await until(() => settled.length === 1);
    comeDue(delivery('first'), delivery('twice'));
    await until(() => leases.flat().length === 3);
    comeDue(delivery('twice', 'two'));
    await until(() => leases.flat().length === 4);
    answer('first');
    await until(() => begun.length === 3);
    answer('twice');
    await until(() => drain.heldCount === 0);
    expect(begun).toEqual(['warm', 'first', 'twice']);
  });

  it('holds a later lease although the result of an earlier one comes in', async () => {
    const { drain, comeDue, answer, begun, settled } = setUpDrain();
    await using _drain = drain;
    comeDue(delivery('again'));
    await until(() => begun.length === 1);
    comeDue(delivery('again', 'two'));
    await until(() => drain.heldCount === 1);
    answer('again');
    await until(() => begun.length === 2);
    expect([drain.heldCount, settled]).toEqual([1, []]);
    answer('again');
    await until(() => settled.length === 1);
  });

  it('leases nothing while results wait for Postgres', async () => {
    const { drain, comeDue, answer, begun, leases, settled, db } = setUpDrain();
    await using _drain = drain;
    comeDue(delivery('first'));
    await until(() => begun.length === 1);
    db.isAway = true;
    answer('first');
    await until(() => db.failures > 0);
    const before = leases.length;
    comeDue(delivery('later'));
    for (let i = 0; i < 5; i += 1) {
      await new Promise((resolve) => setTimeout(resolve, 20));
      drain.wake(['whk_1']);
    }
    expect([leases.length, settled]).toEqual([before, []]);
    db.isAway = false;
    await until(() => begun.length === 2);
    expect(settled).toEqual(['first stored']);
    answer('later');
  });

  it('comes back for a retry when it is due, without a scan', async () => {
    const { drain, comeDue, answer, begun, leases } = setUpDrain();
    await using _drain = drain;
    comeDue(delivery('fails'));
    await until(() => begun.length === 1);
    answer('fails', { state: 'failed', status: 500, nextAttemptInMs: 200 });
    await until(() => drain.heldCount === 0);
    const before = leases.length;
    await until(() => leases.length > before);
  });

  it('tells an endpoint that answers badly from one that does not answer', async () => {
    const { drain, comeDue, answer, begun } = setUpDrain();
    await using _drain = drain;
    const fail = async (times: number, status: number | null) => {
      for (let i = 0; i < times; i += 1) {
        const id = `${status}_${i}`;
        comeDue(delivery(id));
        await until(() => begun.includes(id));
        answer(id, { state: 'failed', status, nextAttemptInMs: 60_000 });
      }
      await until(() => drain.heldCount === 0);
      return drain.circuits();
    };
    expect(await fail(6, 500)).toEqual({ closed: 1, open: 0, 'half-open': 0 });
    expect(await fail(5, null)).toEqual({ closed: 0, open: 1, 'half-open': 0 });
  });

  it('looks behind the last endpoint that it found while there are more', async () => {
    const { drain, cursors, db } = setUpDrain();
    await using _drain = drain;
    await until(() => cursors.length === 1);
    db.found = Array.from({ length: 5_000 }, (_, n) => `whk_${n + 10_000}`);
    drain.wake();
    await until(() => cursors.length === 2);
    db.found = ['whk_9'];
    drain.wake();
    await until(() => cursors.length === 3);
    drain.wake();
    await until(() => cursors.length === 4);
    expect(cursors).toEqual(['', '', 'whk_14999', '']);
  });

  it('gives back what waits behind a request that hangs', async () => {
    const { drain, comeDue, answer, begun, released } = setUpDrain();
    await using _drain = drain;
    comeDue(delivery('hangs'), delivery('waits'));
    await until(() => begun.length === 1);
    advance(1_001);
    await until(() => released.includes('waits'));
    expect(drain.heldCount).toBe(1);
    answer('hangs');
  });

  it('ends with the results of what it has begun, and gives back the rest', async () => {
    const { drain, comeDue, answer, begun, leases, released, settled } = setUpDrain();
    comeDue(delivery('begun'), delivery('waits'));
    await until(() => begun.length === 1);
    const ended = drain[Symbol.asyncDispose]();
    await until(() => released.includes('waits'));
    const before = leases.length;
    comeDue(delivery('too-late'));
    answer('begun');
    await ended;
    expect([begun, settled]).toEqual([['begun'], ['begun stored']]);
    expect(leases.length).toBe(before);
  });
});
