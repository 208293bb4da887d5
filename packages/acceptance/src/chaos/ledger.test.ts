import { expect, test } from 'vitest';
import { Ledger } from './ledger.ts';

test('what was accepted and never arrived is lost, by its mark', () => {
  const ledger = new Ledger();
  ledger.accept('first', 1_000);
  ledger.accept('second', 1_000);
  ledger.arrive('second', 1_500);
  expect([...ledger.missing]).toEqual(['first']);
  expect(ledger.tally()).toEqual({
    accepted: 2,
    delivered: 1,
    lost: 1,
    extraCopies: 0,
    longestDelayMs: 500,
  });
});

test('each copy after the first one is counted, also of an action without an answer', () => {
  const ledger = new Ledger();
  ledger.accept('answered', 0);
  for (const mark of ['answered', 'answered', 'unanswered', 'unanswered', 'unanswered']) {
    ledger.arrive(mark, 10);
  }
  expect(ledger.tally()).toMatchObject({ accepted: 1, delivered: 1, lost: 0, extraCopies: 3 });
});

test('an event that is delivered before its action is answered is not missing', () => {
  const ledger = new Ledger();
  ledger.arrive('quick', 10);
  ledger.accept('quick', 20);
  expect(ledger.missing.size).toBe(0);
  expect(ledger.tally()).toMatchObject({ delivered: 1, longestDelayMs: 0 });
});

test('an answer that is given twice owes one event', () => {
  const ledger = new Ledger();
  ledger.accept('same', 10);
  ledger.arrive('same', 20);
  ledger.accept('same', 30);
  expect(ledger.tally()).toMatchObject({ accepted: 1, delivered: 1, lost: 0, longestDelayMs: 10 });
});
