import { expect, test } from 'vitest';
import { drive } from './drive.ts';

const flow = { overMs: 1, signal: new AbortController().signal };

test('ends when exactly `count` requests are accepted, despite rejections', async () => {
  const accepted: string[] = [];
  let tried = 0;
  const produce = async () => (++tried % 5 === 0 ? null : String(tried));
  const producers = [produce, produce, produce];
  await drive({ ...flow, producers, count: 20, onAccepted: (marker) => accepted.push(marker) });
  expect(accepted).toHaveLength(20);
  expect(new Set(accepted).size).toBe(20);
});

test('rejects when the signal is aborted, although nothing was accepted', async () => {
  const stopping = new AbortController();
  const produce = async () => {
    stopping.abort(new Error('enough'));
    return null;
  };
  const driving = drive({
    overMs: 1,
    signal: stopping.signal,
    producers: [produce],
    count: 1,
    onAccepted: () => undefined,
  });
  await expect(driving).rejects.toThrow('aborted');
});
