import { expect, test } from 'vitest';
import { yieldTurn } from './turns.ts';

test('other work runs after a long step of a search', async () => {
  let hasRun = false;
  setImmediate(() => {
    hasRun = true;
  });
  const start = performance.now();
  while (performance.now() - start < 2) Math.random();
  await yieldTurn();
  expect(hasRun).toBe(true);
});
