import { createLogger } from '@atrium/service-kit/logger';
import { until } from '@atrium/testkit/until';
import { describe, expect, it } from 'vitest';
import { attemptOf } from './attempt.fixture.ts';
import { AttemptRecorder } from './attempt-recorder.ts';
import type { RecordAttempts } from './attempt-store.ts';

const away = () => Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });

const attempt = (deliveryId: string) => attemptOf({ id: deliveryId }, { startedMs: 0 });

function setUp(store: (ids: string[]) => Promise<Set<string>>) {
  const batches: string[][] = [];
  const results = new Map<string, string>();
  const lines: string[] = [];
  const giveUp = new AbortController();
  const recordAttempts: RecordAttempts = (attempts) => {
    const ids = attempts.map(({ deliveryId }) => deliveryId);
    batches.push(ids);
    return store(ids);
  };
  const recorder = new AttemptRecorder({
    recordAttempts,
    logger: createLogger({
      service: 'test',
      level: 'info',
      destination: { write: (line) => void lines.push(line) },
    }),
    onPersisted: ({ deliveryId }, result) => {
      if (results.has(deliveryId)) throw new Error(`${deliveryId} was persisted twice`);
      results.set(deliveryId, result);
    },
    giveUp: giveUp.signal,
  });
  const add = (...ids: string[]) => {
    for (const id of ids) recorder.add(attempt(id));
  };
  return { recorder, add, batches, results, lines, giveUp };
}

describe('the attempt recorder', () => {
  it('stores attempts that finish together in one batch and tells which were late', async () => {
    const { add, batches, results } = setUp(async () => new Set(['a', 'c']));
    add('a', 'b', 'c');
    await until(() => results.size === 3);
    expect(batches).toEqual([['a', 'b', 'c']]);
    expect(Object.fromEntries(results)).toEqual({ a: 'stored', b: 'late', c: 'stored' });
  });

  it('stores 200 attempts in a statement, with two statements in flight', async () => {
    let running = 0;
    let most = 0;
    const { add, batches, results } = setUp(async (ids) => {
      running += 1;
      most = Math.max(most, running);
      await new Promise((resolve) => setImmediate(resolve));
      running -= 1;
      return new Set(ids);
    });
    add(...Array.from({ length: 1_001 }, (_, n) => `${n}`));
    await until(() => results.size === 1_001);
    expect(batches.map(({ length }) => length)).toEqual([200, 200, 200, 200, 200, 1]);
    expect(most).toBe(2);
  });

  it('stores delivered and failed attempts apart, the oldest first', async () => {
    const { recorder, batches, results } = setUp(async (ids) => new Set(ids));
    for (let n = 0; n < 800; n += 1) {
      const outcome = n === 300 ? 'retry' : 'delivered';
      recorder.add({ ...attempt(`${n}`), outcome, startedMs: n });
    }
    await until(() => results.size === 800);
    const failed = batches.findIndex((ids) => ids.includes('300'));
    expect(batches[failed]).toEqual(['300']);
    expect(batches[failed + 1]).toContain('401');
  });

  it('keeps attempts while Postgres is unavailable, and is blocked until all are stored', async () => {
    let isAway = true;
    const { promise: lastBatch, resolve: storeLastBatch } = Promise.withResolvers<void>();
    const { recorder, add, results } = setUp(async (ids) => {
      if (isAway) throw away();
      if (ids.includes('400')) await lastBatch;
      return new Set(ids);
    });
    expect(recorder.isBlocked).toBe(false);
    add(...Array.from({ length: 401 }, (_, n) => `${n}`));
    await until(() => recorder.isBlocked);
    expect(results.size).toBe(0);
    isAway = false;
    await until(() => results.size === 400);
    expect(recorder.isBlocked).toBe(true);
    storeLastBatch();
    await until(() => results.size === 401);
    expect(new Set(results.values())).toEqual(new Set(['stored']));
    expect(recorder.isBlocked).toBe(false);
  });

  it('logs one line for each outage of Postgres', async () => {
    const { add, batches, results, lines } = setUp(async (ids) => {
      if (batches.length < 3) throw away();
      return new Set(ids);
    });
    add('a');
    await until(() => results.size === 1);
    expect(lines).toHaveLength(1);
    batches.length = 0;
    add('b');
    await until(() => results.size === 2);
    expect(lines).toHaveLength(2);
  });

  it('drops only the attempt that cannot be stored', async () => {
    const { recorder, add, results } = setUp(async (ids) => {
      if (ids.includes('bad')) throw new Error('invalid byte sequence');
      return new Set(ids);
    });
    add('a', 'bad', 'b');
    await until(() => results.size === 3);
    expect(Object.fromEntries(results)).toEqual({ a: 'stored', bad: 'dropped', b: 'stored' });
    expect(recorder.isBlocked).toBe(false);
  });

  it('drops attempts when told to give up while Postgres is unavailable', async () => {
    const { recorder, add, results, giveUp } = setUp(() => Promise.reject(away()));
    add('a', 'b');
    await until(() => recorder.isBlocked);
    giveUp.abort();
    await until(() => results.size === 2);
    expect(Object.fromEntries(results)).toEqual({ a: 'dropped', b: 'dropped' });
  });
});
