import { revokedSessionsEpochKey, revokedSessionsKey } from '@atrium/contracts/revoked-sessions';
import { testRedis } from '@atrium/testkit/redis';
import { until } from '@atrium/testkit/until';
import { expect, it } from 'vitest';
import { RevokedSessionSet, followRevokedSessions } from './revoked-sessions.ts';
import { openRedis } from './redis.ts';

it('forgets what has expired', () => {
  let nowMs = 1_000_000;
  const list = new RevokedSessionSet(() => nowMs);
  list.add([
    ['short', nowMs + 30_000],
    ['long', nowMs + 90_000],
  ]);
  expect([list.has('short'), list.has('long'), list.has('other')]).toEqual([true, true, false]);
  nowMs += 60_000;
  list.add([['newest', nowMs + 1000]]);
  expect([list.size, list.has('short')]).toEqual([2, false]);
  nowMs += 60_000;
  list.add([]);
  expect(list.size).toBe(0);
});

it('reads a long stream to its end, and past entries that it cannot read', async () => {
  await using redis = await openRedis({ url: testRedis().url });
  const { queuePrefix } = testRedis();
  const expiresAtMs = Date.now() + 60_000;
  const append = (text: string) =>
    redis.client.xadd(revokedSessionsKey(queuePrefix), '*', 'sessions', text);
  for (let index = 0; index < 250; index += 1) {
    await append(JSON.stringify([[`ses_${index}`, expiresAtMs]]));
  }
  await append('nonsense');
  await append('{"not":"a list"}');
  await append(JSON.stringify([['ses_last', expiresAtMs]]));
  await redis.client.set(revokedSessionsEpochKey(queuePrefix), 'first');

  await using list = await followRevokedSessions({
    redis: redis.client,
    queuePrefix,
    intervalMs: 10,
  });
  expect(['ses_0', 'ses_249', 'ses_last', 'ses_x'].map(list.isRevoked)).toEqual([
    true,
    true,
    true,
    false,
  ]);
  await append(JSON.stringify([['ses_x', expiresAtMs]]));
  await until(() => list.isRevoked('ses_x'));
});

it('reads everything again when the stream was filled anew', async () => {
  await using redis = await openRedis({ url: testRedis().url });
  const { queuePrefix } = testRedis();
  const expiresAtMs = Date.now() + 60_000;
  const append = (id: string, sessionId: string) =>
    redis.client.xadd(
      revokedSessionsKey(queuePrefix),
      id,
      'sessions',
      JSON.stringify([[sessionId, expiresAtMs]]),
    );
  await append('1000-0', 'ses_before');
  await redis.client.set(revokedSessionsEpochKey(queuePrefix), 'first');
  await using list = await followRevokedSessions({
    redis: redis.client,
    queuePrefix,
    intervalMs: 10,
  });
  expect(list.isRevoked('ses_before')).toBe(true);

  // By a clock that is behind the one before.
  await redis.client.del(revokedSessionsKey(queuePrefix));
  await append('500-0', 'ses_after');
  await redis.client.set(revokedSessionsEpochKey(queuePrefix), 'second');
  await until(() => list.isRevoked('ses_after'));
  expect(list.isRevoked('ses_before')).toBe(true);
});
