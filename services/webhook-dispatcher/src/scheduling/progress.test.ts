import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startHarness } from '../harness.fixture.ts';
import { createBacklogReader } from './backlog-store.ts';
import { assertProgress } from './progress.ts';

let harness: Awaited<ReturnType<typeof startHarness>>;
beforeAll(async () => {
  harness = await startHarness();
  await harness.subscribe('https://93.184.216.34/');
  await harness.ingest([harness.event()]);
});
afterAll(() => harness?.[Symbol.asyncDispose]());

const check = (idleMs: number) =>
  assertProgress({
    idleMs,
    requestTimeoutMs: 15_000,
    readBacklog: createBacklogReader(harness.database),
  });
const setUndelivered = (change: string) =>
  harness.database.query(`UPDATE undelivered SET ${change}`);

describe('a worker that has finished no attempt for a minute', () => {
  it('is ready when nothing has been due for as long', async () => {
    await expect(check(61_000)).resolves.toBeUndefined();
  });

  it('is stuck when something has been due for as long', async () => {
    await setUndelivered(`due_at = now() - interval '2 min'`);
    await expect(check(61_000)).rejects.toThrow('Nothing was delivered for 61 s');
    await expect(check(59_000)).resolves.toBeUndefined();
  });

  it('is ready when what is due is leased by another worker or paused', async () => {
    await setUndelivered(`leased_until = now() + interval '1 min'`);
    await expect(check(61_000)).resolves.toBeUndefined();
    await setUndelivered('leased_until = NULL');
    await harness.database.query('UPDATE subscriptions SET paused = true');
    await expect(check(61_000)).resolves.toBeUndefined();
  });
});
