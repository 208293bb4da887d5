import { createLogger } from '@atrium/service-kit/logger';
import { until } from '@atrium/testkit/until';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestPlatform, type TestPlatform } from '../test-app.ts';
import { exampleClick, VISITOR } from './click.fixture.ts';
import type { Click } from './click.ts';
import type { AppendResult } from './journal.ts';
import { ClickRecorder } from './recorder.ts';

let platform: TestPlatform;
beforeAll(async () => {
  platform = await startTestPlatform();
});
afterAll(() => platform[Symbol.asyncDispose]());

const ignored = { onNotRecorded: () => undefined };
const logger = createLogger({ service: 'links', level: 'silent' });

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
  const recorder = new ClickRecorder({ journal, store, logger, ...ignored });
  recorder.record(exampleClick(), VISITOR);
  await until(() => batchSizes.length === 1);
  for (let n = 0; n < 700; n++) recorder.record(exampleClick(), VISITOR);
  firstBatch.resolve();
  await recorder[Symbol.asyncDispose]();
  expect(batchSizes).toEqual([1, 500, 200]);
  expect(await journal.readOlderThan(0, 1)).toEqual([]);
});

function startWithFullJournal(appended: AppendResult) {
  const isReachable = Promise.withResolvers<void>();
  const stored: string[] = [];
  const notRecorded: [string, number][] = [];
  const recorder = new ClickRecorder({
    journal: {
      ...platform.journal,
      append: async () => appended,
      remove: async () => undefined,
    },
    store: {
      async storeAll(clicks) {
        await isReachable.promise;
        stored.push(...clicks.map(({ id }) => id));
      },
    },
    logger,
    onNotRecorded: (reason, clicks) => void notRecorded.push([reason, clicks]),
  });
  return { recorder, isReachable, stored, notRecorded };
}

/** With the longest headers: 5 KB each, so that 24 MB hold fewer than 5,000. */
function longClicks(count: number): Click[] {
  const headers = { referrer: 'r'.repeat(2_048), userAgent: 'u'.repeat(512) };
  const url = `https://example.com/${'a'.repeat(2_028)}`;
  return Array.from({ length: count }, () => exampleClick({ ...headers, url }));
}

test('keeps at most 24 MB of waiting clicks in memory and leaves older ones to the journal', async () => {
  const started = startWithFullJournal({ kind: 'appended', entryId: '1-1' });
  const { recorder, isReachable, stored, notRecorded } = started;
  const clicks = longClicks(5_000);
  for (const one of clicks) recorder.record(one, VISITOR);
  isReachable.resolve();
  await recorder[Symbol.asyncDispose]();
  // The first is under way and 500 are left to the journal.
  expect(stored).toEqual([clicks[0], ...clicks.slice(501)].map((one) => one?.id));
  expect(notRecorded).toEqual([]);
});

test('keeps 20,000 usual clicks in memory', async () => {
  const { recorder, isReachable, stored } = startWithFullJournal({ kind: 'unavailable' });
  for (let n = 0; n < 20_000; n++) recorder.record(exampleClick(), VISITOR);
  isReachable.resolve();
  await recorder[Symbol.asyncDispose]();
  expect(stored).toHaveLength(20_000);
});

test('counts clicks as not recorded when neither memory nor the journal has space', async () => {
  const started = startWithFullJournal({ kind: 'unavailable' });
  const { recorder, isReachable, stored, notRecorded } = started;
  for (const one of longClicks(5_000)) recorder.record(one, VISITOR);
  isReachable.resolve();
  await recorder[Symbol.asyncDispose]();
  expect(stored).toHaveLength(4_500);
  expect(notRecorded).toEqual([['journal', 500]]);
});
