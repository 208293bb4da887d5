import { createLogger } from '@atrium/service-kit/logger';
import { until } from '@atrium/testkit/until';
import { describe, expect, it } from 'vitest';
import { attemptOf } from './attempt.fixture.ts';
import { AttemptRecorder } from './attempt-recorder.ts';
import type { DeliveryStore } from './lease-store.ts';

const away = () => Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });

const resultOf = (deliveryId: string) => attemptOf({ id: deliveryId }, { startedMs: 0 });

function setUp(record: (ids: string[]) => Promise<Set<string>>) {
  const batches: string[][] = [];
  const fates = new Map<string, string>();
  const giveUp = new AbortController();
  const store: Pick<DeliveryStore, 'record'> = {
    record: (attempts) => {
      const ids = attempts.map(({ deliveryId }) => deliveryId);
      batches.push(ids);
      return record(ids);
    },
  };
  const recorder = new AttemptRecorder({
    store,
    logger: createLogger({ service: 'test', level: 'silent' }),
    settled: ({ deliveryId }, fate) => {
      if (fates.has(deliveryId)) throw new Error(`${deliveryId} was settled twice`);
      fates.set(deliveryId, fate);
    },
    giveUp: giveUp.signal,
  });
  const add = (...ids: string[]) => {
    for (const id of ids) recorder.add(resultOf(id));
  };
  return { recorder, add, batches, fates, giveUp };
}

describe('results of attempts', () => {
  it('that come together are stored together, and those that came too late are told apart', async () => {
    const { add, batches, fates } = setUp(async () => new Set(['a', 'c']));
    add('a', 'b', 'c');
    await until(() => fates.size === 3);
    expect(batches).toEqual([['a', 'b', 'c']]);
    expect(Object.fromEntries(fates)).toEqual({ a: 'stored', b: 'late', c: 'stored' });
  });

  it('are stored two hundred at a time, by two statements at once, however many there are', async () => {
    let running = 0;
    let most = 0;
    const { add, batches, fates } = setUp(async (ids) => {
      running += 1;
      most = Math.max(most, running);
      await new Promise((resolve) => setImmediate(resolve));
      running -= 1;
      return new Set(ids);
    });
    add(...Array.from({ length: 1_001 }, (_, n) => `${n}`));
    await until(() => fates.size === 1_001);
    expect(batches.map(({ length }) => length)).toEqual([200, 200, 200, 200, 200, 1]);
    expect(most).toBe(2);
  });

  it('are stored by kind, and those of the rarer kind wait no longer than the others', async () => {
    const { recorder, batches, fates } = setUp(async (ids) => new Set(ids));
    for (let n = 0; n < 800; n += 1) {
      const state = n === 300 ? 'failed' : 'delivered';
      recorder.add({ ...resultOf(`${n}`), state, startedMs: n });
    }
    await until(() => fates.size === 800);
    const failed = batches.findIndex((ids) => ids.includes('300'));
    expect(batches[failed]).toEqual(['300']);
    expect(batches[failed + 1]).toContain('401');
  });

  it('are kept while Postgres is away, and nothing is leased meanwhile', async () => {
    let isAway = true;
    const { recorder, add, fates } = setUp(async (ids) => {
      if (isAway) throw away();
      return new Set(ids);
    });
    expect(recorder.isBlocked).toBe(false);
    add('a', 'b');
    await until(() => recorder.isBlocked);
    expect(fates.size).toBe(0);
    isAway = false;
    await until(() => fates.size === 2);
    expect(Object.fromEntries(fates)).toEqual({ a: 'stored', b: 'stored' });
    await until(() => !recorder.isBlocked);
  });

  it('are not lost with one that cannot be stored', async () => {
    const { recorder, add, fates } = setUp(async (ids) => {
      if (ids.includes('bad')) throw new Error('invalid byte sequence');
      return new Set(ids);
    });
    add('a', 'bad', 'b');
    await until(() => fates.size === 3);
    expect(Object.fromEntries(fates)).toEqual({ a: 'stored', bad: 'lost', b: 'stored' });
    expect(recorder.isBlocked).toBe(false);
  });

  it('are given up when the worker must end and Postgres is still away', async () => {
    const { recorder, add, fates, giveUp } = setUp(() => Promise.reject(away()));
    add('a', 'b');
    await until(() => recorder.isBlocked);
    giveUp.abort();
    await until(() => fates.size === 2);
    expect(Object.fromEntries(fates)).toEqual({ a: 'lost', b: 'lost' });
  });
});
