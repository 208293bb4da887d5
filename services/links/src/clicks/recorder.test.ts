import { randomUUID } from 'node:crypto';
import { newId } from '@atrium/contracts/ids';
import { createLogger } from '@atrium/service-kit/logger';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestPlatform, type TestPlatform } from '../test-app.ts';
import type { Click } from './click.ts';
import { ClickRecorder } from './recorder.ts';

let platform: TestPlatform;
beforeAll(async () => {
  platform = await startTestPlatform();
});
afterAll(() => platform[Symbol.asyncDispose]());

const logger = createLogger({ service: 'links', level: 'silent' });

function click(): Click {
  return {
    id: randomUUID(),
    linkId: newId('lnk'),
    ownerId: newId('usr'),
    slug: 'gone',
    url: 'https://example.com/',
    clickedAtMs: Date.now(),
    isBot: false,
    referrer: null,
    userAgent: null,
    requestId: 'req',
  };
}

test('stores a click at once when idle, and those that arrive meanwhile as the next batches', async () => {
  const batchSizes: number[] = [];
  const firstBatch = Promise.withResolvers<void>();
  const store = {
    async storeAll(clicks: readonly Click[]) {
      batchSizes.push(clicks.length);
      await firstBatch.promise;
      return platform.store.storeAll(clicks);
    },
  };
  const { journal } = platform;
  const recorder = new ClickRecorder({ journal, store, logger, onEventsStored: () => undefined });
  recorder.record(click());
  expect(batchSizes).toEqual([1]);
  for (let n = 0; n < 700; n++) recorder.record(click());
  firstBatch.resolve();
  await recorder[Symbol.asyncDispose]();
  expect(batchSizes).toEqual([1, 500, 200]);
  expect(await journal.readOlderThan(0, 1)).toEqual([]);
});

test('keeps at most 50,000 waiting clicks in memory and leaves older ones to the journal', async () => {
  const isReachable = Promise.withResolvers<void>();
  const stored: string[] = [];
  const store = {
    async storeAll(clicks: readonly Click[]) {
      await isReachable.promise;
      stored.push(...clicks.map(({ id }) => id));
      return 0;
    },
  };
  const journal = { ...platform.journal, append: async () => '1-1', remove: async () => undefined };
  const recorder = new ClickRecorder({ journal, store, logger, onEventsStored: () => undefined });
  const clicks = Array.from({ length: 50_002 }, click);
  for (const one of clicks) recorder.record(one);
  isReachable.resolve();
  await recorder[Symbol.asyncDispose]();
  // The first is under way and 500 are left to the journal.
  expect(stored).toEqual([clicks[0], ...clicks.slice(501)].map((one) => one?.id));
});
