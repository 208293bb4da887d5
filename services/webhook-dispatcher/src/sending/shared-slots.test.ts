import { expect, it } from 'vitest';
import { SharedSlots } from './shared-slots.ts';

it('serves the accounts that wait in turn, and lets none have more than its share', async () => {
  const slots = new SharedSlots(8);
  const started: string[] = [];
  const enter = (accountId: string, count: number) => {
    for (let n = 0; n < count; n += 1) slots.enter(accountId, () => started.push(accountId));
  };
  enter('a', 6);
  enter('b', 6);
  expect(started).toEqual(['a', 'a', 'a', 'b', 'b']);
  for (const accountId of ['a', 'a', 'a', 'b', 'b']) slots.leave(accountId);
  await Promise.resolve();
  expect(started.slice(5)).toEqual(['a', 'b', 'a', 'b']);
});

it('does not start what was cancelled', async () => {
  const slots = new SharedSlots(1);
  const started: string[] = [];
  const cancelled = () => started.push('cancelled');
  slots.enter('a', () => started.push('first'));
  expect(slots.enter('a', cancelled)).toBe(false);
  slots.enter('a', () => started.push('second'));
  slots.cancel('a', cancelled);
  slots.leave('a');
  await Promise.resolve();
  expect(started).toEqual(['first', 'second']);
});
