import { expect, test, vi } from 'vitest';
import { yieldTurn } from './yield-turn.ts';

test('other work runs once the turn of a search is over, and not after each short step', async () => {
  const startMs = performance.now();
  using now = vi.spyOn(performance, 'now').mockReturnValue(startMs);
  await yieldTurn();
  let hasRun = false;
  setImmediate(() => {
    hasRun = true;
  });
  for (let step = 0; step < 20; step += 1) await yieldTurn();
  expect(hasRun).toBe(false);
  now.mockReturnValue(startMs + 0.5);
  await yieldTurn();
  expect(hasRun).toBe(true);
});
