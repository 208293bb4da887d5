import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { slowPageScript } from './slow-page.ts';

/** What a page waited for in 100 requests and after 100 timers of 10 ms. */
async function waitsOf(seed: number) {
  const waits: number[] = [];
  const window = {
    fetch: async (url: string) => `answer of ${url}`,
    setTimeout: (handler: () => void, ms: number) => {
      waits.push(ms);
      handler();
    },
  };
  runInNewContext(slowPageScript(seed), { window });
  const answers = await Promise.all(
    Array.from({ length: 100 }, (_, index) => window.fetch(`/${index}`)),
  );
  const requests = waits.splice(0);
  for (let index = 0; index < 100; index += 1) window.setTimeout(() => undefined, 10);
  return { answers, requests, timers: waits };
}

test('some requests, answers and timers of a page are late, and none is lost', async () => {
  const { answers, requests, timers } = await waitsOf(7);
  expect(answers[99]).toBe('answer of /99');
  expect(requests.length).toBeGreaterThan(20);
  expect(requests.length).toBeLessThan(100);
  expect(Math.max(...requests)).toBeLessThan(1_500);
  expect(timers).toHaveLength(100);
  const late = timers.filter((ms) => ms > 10);
  expect(late.length).toBeGreaterThan(10);
  expect(late.length).toBeLessThan(60);
});

test('the same seed makes a page late in the same way', async () => {
  expect(await waitsOf(7)).toEqual(await waitsOf(7));
  expect(await waitsOf(7)).not.toEqual(await waitsOf(8));
});
