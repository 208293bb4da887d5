import { describe, expect, test } from 'vitest';
import { createLinkCache, type Target } from './link-cache.ts';

function target(url: string, slug = 'a'): Target {
  return { slug, linkId: 'lnk_1', ownerId: 'usr_1', ownerPlan: 'free', url };
}

function start(options: { bytesMax?: number } = {}) {
  const loads: string[] = [];
  const answers: PromiseWithResolvers<Target | null>[] = [];
  const failures: unknown[] = [];
  const clock = { nowMs: 0 };
  const cache = createLinkCache({
    load(slug) {
      loads.push(slug);
      const answer = Promise.withResolvers<Target | null>();
      answers.push(answer);
      return answer.promise;
    },
    onRefreshFailed: (error) => failures.push(error),
    clockMs: () => clock.nowMs,
    ttlMs: 1000,
    ...options,
  });
  async function fill(slug: string, url: string): Promise<void> {
    const found = cache.find(slug);
    answers.at(-1)?.resolve(target(url, slug));
    await found;
  }
  return { cache, loads, answers, failures, clock, fill };
}

describe('the link cache', () => {
  test('shares one lookup between concurrent requests and caches its result', async () => {
    const { cache, loads, answers } = start();
    const [first, second] = [cache.find('a'), cache.find('a')];
    answers[0]?.resolve(target('1'));
    expect([await first, await second]).toEqual([target('1'), target('1')]);
    expect(cache.find('a')).toEqual(target('1'));
    expect(loads).toEqual(['a']);
  });

  test('returns an expired entry at once and refreshes it in the background', async () => {
    const { cache, loads, answers, clock, fill } = start();
    await fill('a', 'old');
    clock.nowMs = 1000;
    expect([cache.find('a'), cache.find('a')]).toEqual([target('old'), target('old')]);
    expect(loads).toHaveLength(2);
    answers[1]?.resolve(target('new'));
    await answers[1]?.promise;
    await Promise.resolve();
    expect(cache.find('a')).toEqual(target('new'));
  });

  test('keeps an expired entry when its refresh fails', async () => {
    const { cache, answers, clock, failures, fill } = start();
    await fill('a', 'old');
    clock.nowMs = 1000;
    void cache.find('a');
    answers[1]?.reject(new Error('away'));
    await expect.poll(() => failures).toHaveLength(1);
    expect(cache.find('a')).toEqual(target('old'));
  });

  describe('does not trust what it has not read for a minute', () => {
    async function startOld() {
      const started = start();
      await started.fill('a', 'old');
      started.clock.nowMs = 61_000;
      const [first, second] = [started.cache.find('a'), started.cache.find('a')];
      return { ...started, found: async () => [await first, await second] };
    }

    test('and waits for the database', async () => {
      const { answers, loads, found, cache } = await startOld();
      answers[1]?.resolve(null);
      expect(await found()).toEqual([null, null]);
      expect(loads).toHaveLength(2);
      expect(cache.find('a')).toBeInstanceOf(Promise);
    });

    test('but returns it when the database fails, and then again at once', async () => {
      const { answers, failures, found, cache } = await startOld();
      answers[1]?.reject(new Error('away'));
      expect(await found()).toEqual([target('old'), target('old')]);
      expect(failures).not.toHaveLength(0);
      expect(cache.find('a')).toEqual(target('old'));
    });

    test('or does not answer in time', async () => {
      const { found, cache } = await startOld();
      expect(await found()).toEqual([target('old'), target('old')]);
      expect(cache.find('a')).toEqual(target('old'));
    });
  });

  test('does not cache what was read before a change that was announced meanwhile', async () => {
    const { cache, answers, loads } = start();
    const before = cache.find('a');
    cache.forget('a');
    const after = cache.find('a');
    answers[0]?.resolve(target('old'));
    await before;
    answers[1]?.resolve(target('new'));
    await after;
    expect(cache.find('a')).toEqual(target('new'));
    expect(loads).toHaveLength(2);
  });

  test('refreshes every entry after changes may have been missed', async () => {
    const { cache, loads, answers, fill } = start();
    await fill('a', '1');
    cache.expireAll();
    const found = cache.find('a');
    answers[1]?.resolve(target('2'));
    expect(await found).toEqual(target('2'));
    expect(loads).toEqual(['a', 'a']);
  });

  test('evicts the least recently used links when it is full, in bytes', async () => {
    const { cache, fill } = start({ bytesMax: 900 });
    await fill('a', '1');
    await fill('b', '2');
    await cache.find('a');
    await fill('c', '3');
    expect(cache.find('a')).toEqual(target('1'));
    expect(cache.find('b')).toBeInstanceOf(Promise);
    await fill('d', `https://example.com/${'d'.repeat(500)}`);
    expect(cache.find('c')).toBeInstanceOf(Promise);
  });

  test('does not cache unknown slugs', async () => {
    const { cache, answers, loads } = start();
    const found = cache.find('x');
    answers[0]?.resolve(null);
    expect(await found).toBe(null);
    void cache.find('x');
    expect(loads).toEqual(['x', 'x']);
  });
});
