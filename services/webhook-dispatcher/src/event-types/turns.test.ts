import { expect, onTestFinished, test } from 'vitest';
import { createTurns } from './turns.ts';

const inTurn = createTurns({ limitsAccounts: true });

test('the event loop has a turn after each long piece of work, of all requests together', async () => {
  let turn = 0;
  let isDone = false;
  onTestFinished(() => void (isDone = true));
  const count = () => {
    turn += 1;
    if (!isDone) setImmediate(count);
  };
  count();
  const long = () =>
    inTurn('usr_1', () => {
      const endMs = performance.now() + 11;
      while (performance.now() < endMs);
      return turn;
    });
  const turns = await Promise.all(Array.from({ length: 5 }, long));
  expect(new Set(turns).size).toBe(5);
  await expect(inTurn('usr_1', () => JSON.parse('{'))).rejects.toThrow(SyntaxError);
});
