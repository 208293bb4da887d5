import { createLogger } from '@atrium/service-kit/logger';
import { until } from '@atrium/testkit/until';
import { expect, it } from 'vitest';
import { startChangePublisher } from './change-publisher.ts';

const logger = createLogger({ service: 'test', level: 'silent' });

it('holds changes until it knows which accounts are followed', async () => {
  const appended: [string, readonly string[]][] = [];
  const known = Promise.withResolvers<string[]>();
  const log = {
    listFollowed: () => known.promise,
    append: async (changes: ReadonlyMap<string, readonly string[]>) => {
      appended.push(...changes);
    },
  };
  await using publisher = startChangePublisher(log, logger);
  publisher.publish('usr_a', ['dlv_1']);
  publisher.publish('usr_b', ['dlv_2']);
  known.resolve(['usr_a']);
  await until(() => appended.length > 0);
  expect(appended).toEqual([['usr_a', ['dlv_1']]]);
});

it('keeps what Redis does not take, and publishes it later', async () => {
  const appended: [string, readonly string[]][] = [];
  let isAway = false;
  let refreshes = 0;
  const log = {
    listFollowed: async () => {
      refreshes += 1;
      return ['usr_a'];
    },
    append: async (changes: ReadonlyMap<string, readonly string[]>) => {
      if (isAway) throw new Error('Connection is closed');
      appended.push(...changes);
    },
  };
  await using publisher = startChangePublisher(log, logger);
  await until(() => refreshes > 0);
  isAway = true;
  publisher.publish('usr_a', ['dlv_1', 'dlv_2']);
  publisher.publish('usr_b', ['dlv_9']);
  await until(() => refreshes > 2);
  publisher.publish('usr_a', ['dlv_2', 'dlv_3']);
  isAway = false;
  await until(() => appended.length > 0);
  expect(appended).toEqual([['usr_a', ['dlv_1', 'dlv_2', 'dlv_3']]]);
});
