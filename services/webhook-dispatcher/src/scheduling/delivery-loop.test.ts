import { until } from '@atrium/testkit/until';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { delivery, setUpLoop } from './delivery-loop.fixture.ts';

// The clock stands still unless a test moves it, so nothing stalls and no scan comes by itself.
beforeEach(() => vi.useFakeTimers({ toFake: ['Date', 'performance'] }));
afterEach(() => vi.useRealTimers());
const advance = (ms: number) => vi.advanceTimersByTime(ms);

describe('the delivery loop', () => {
  it('releases a delivery instead of sending it when its lease could expire before the answer', async () => {
    const { loop, becomeDue, answer, sent, released } = setUpLoop();
    await using _loop = loop;
    becomeDue(delivery('first'), delivery('waiting'));
    await until(() => sent.length === 1);
    advance(5_001);
    answer('first');
    await until(() => released.includes('waiting'));
    expect(sent).toEqual(['first']);
  });

  it('sends a delivery once when it is leased a second time while it waits', async () => {
    const { loop, becomeDue, answer, sent, leases, persisted } = setUpLoop();
    await using _loop = loop;
    for (const [index, id] of ['warm', 'warmer'].entries()) {
      becomeDue(delivery(id));
      await until(() => sent.length === index + 1);
      answer(id);
      await until(() => persisted.length === index + 1);
    }
    becomeDue(delivery('first'), delivery('twice'));
    await until(() => leases.flat().length === 4);
    becomeDue(delivery('twice', 'two'));
    await until(() => leases.flat().length === 5);
    answer('first');
    await until(() => sent.length === 4);
    answer('twice');
    await until(() => loop.leasedCount === 0);
    expect(sent).toEqual(['warm', 'warmer', 'first', 'twice']);
  });

  it('keeps a later lease when the result of an earlier one comes in', async () => {
    const { loop, becomeDue, answer, sent, persisted } = setUpLoop();
    await using _loop = loop;
    becomeDue(delivery('again'));
    await until(() => sent.length === 1);
    becomeDue(delivery('again', 'two'));
    await until(() => loop.leasedCount === 1);
    answer('again');
    await until(() => sent.length === 2);
    expect([loop.leasedCount, persisted]).toEqual([1, []]);
    answer('again');
    await until(() => persisted.length === 1);
  });

  it('sends what is asked for now before what waits, and once', async () => {
    const { loop, becomeDue, answer, sent, leases, persisted } = setUpLoop();
    await using _loop = loop;
    becomeDue(delivery('warm-up'));
    await until(() => sent.length === 1);
    answer('warm-up');
    await until(() => persisted.length === 1);
    becomeDue(delivery('dlv_first'), delivery('dlv_second'), delivery('dlv_now'));
    await until(() => leases.flat().length === 4);
    loop.wake(['dlv_now']);
    await until(() => sent.length === 3);
    loop.wake(['dlv_now']);
    answer('dlv_now');
    answer('dlv_first');
    await until(() => sent.length === 4);
    answer('dlv_second');
    await until(() => persisted.length === 4);
    expect(sent).toEqual(['warm-up', 'dlv_first', 'dlv_now', 'dlv_second']);
  });

  it('sends what is asked for now also when it could not be leased at once', async () => {
    const { loop, sent, answer, due, database } = setUpLoop();
    await using _loop = loop;
    database.isAway = true;
    due.push(delivery('dlv_now'));
    loop.wake(['dlv_now']);
    await until(() => database.failures > 0);
    database.isAway = false;
    loop.wake();
    await until(() => sent.length === 1);
    answer('dlv_now');
    await until(() => loop.leasedCount === 0);
  });

  it('records no attempt for a delivery that is postponed', async () => {
    const { loop, becomeDue, answer, sent, released, persisted } = setUpLoop();
    await using _loop = loop;
    becomeDue(delivery('cut-off'));
    await until(() => sent.length === 1);
    answer('cut-off', { outcome: 'postponed', cause: 'shutdown', reason: 'stopped', delayMs: 0 });
    await until(() => released.includes('cut-off'));
    becomeDue(delivery('unresolved'));
    await until(() => sent.length === 2);
    answer('unresolved', {
      outcome: 'postponed',
      cause: 'lookup',
      reason: 'silent',
      delayMs: 10_000,
    });
    await until(() => released.includes('unresolved for 10000 ms'));
    expect([loop.leasedCount, persisted]).toEqual([0, []]);
  });

  it('leases nothing while attempts wait for Postgres', async () => {
    const { loop, becomeDue, answer, sent, leases, persisted, database } = setUpLoop();
    await using _loop = loop;
    becomeDue(delivery('first'));
    await until(() => sent.length === 1);
    database.isAway = true;
    answer('first');
    await until(() => database.failures > 0);
    const before = leases.length;
    becomeDue(delivery('later'));
    for (let i = 0; i < 5; i += 1) {
      await new Promise((resolve) => setTimeout(resolve, 20));
      loop.wake(['whk_1']);
    }
    expect([leases.length, persisted]).toEqual([before, []]);
    database.isAway = false;
    await until(() => sent.length === 2);
    expect(persisted).toEqual(['first stored']);
    answer('later');
  });

  it('opens a circuit sooner for an endpoint that does not answer than for one that fails', async () => {
    const { loop, becomeDue, answer, sent } = setUpLoop();
    await using _loop = loop;
    const fail = async (times: number, status: number | null) => {
      for (let i = 0; i < times; i += 1) {
        const id = `${status}_${i}`;
        becomeDue(delivery(id));
        await until(() => sent.includes(id));
        answer(id, { outcome: 'retry', status, nextAttemptInMs: 60_000 });
      }
      await until(() => loop.leasedCount === 0);
      return loop.countCircuits();
    };
    expect(await fail(6, 500)).toEqual({ closed: 1, open: 0, 'half-open': 0 });
    expect(await fail(5, null)).toEqual({ closed: 0, open: 1, 'half-open': 0 });
  });

  it('scans on after the last endpoint that it found while there are more', async () => {
    const { loop, cursors, database } = setUpLoop();
    await using _loop = loop;
    await until(() => cursors.length === 1);
    database.dueEndpoints = Array.from({ length: 5_000 }, (_, n) => `whk_${n + 10_000}`);
    loop.wake();
    await until(() => cursors.length === 2);
    database.dueEndpoints = ['whk_9'];
    loop.wake();
    await until(() => cursors.length === 3);
    loop.wake();
    await until(() => cursors.length === 4);
    expect(cursors).toEqual(['', '', 'whk_14999', '']);
  });

  it('releases what waits behind a request that hangs', async () => {
    const { loop, becomeDue, answer, sent, released } = setUpLoop();
    await using _loop = loop;
    becomeDue(delivery('hangs'), delivery('waiting'));
    await until(() => sent.length === 1);
    advance(1_001);
    await until(() => released.includes('waiting'));
    expect(loop.leasedCount).toBe(1);
    answer('hangs');
  });

  it('records what is in flight and releases the rest when it stops', async () => {
    const { loop, becomeDue, answer, sent, leases, released, persisted } = setUpLoop();
    becomeDue(delivery('sent'), delivery('waiting'));
    await until(() => sent.length === 1);
    const stopped = loop[Symbol.asyncDispose]();
    await until(() => released.includes('waiting'));
    const before = leases.length;
    becomeDue(delivery('too-late'));
    answer('sent');
    await stopped;
    expect([sent, persisted]).toEqual([['sent'], ['sent stored']]);
    expect(leases.length).toBe(before);
  });
});
