import { expect, test } from 'vitest';
import { Ledger } from './ledger.ts';

test('counts an accepted event without a delivery as lost', () => {
  const ledger = new Ledger();
  ledger.accept('first', 1_000);
  ledger.accept('second', 1_000);
  ledger.deliver('second', 'evt_2', 1_500);
  expect([...ledger.missing]).toEqual(['first']);
  expect(ledger.tally()).toEqual({
    accepted: 2,
    delivered: 1,
    lost: 1,
    extraCopies: 0,
    doubles: 0,
    longestDelayMs: 500,
  });
});

test('counts duplicates, including those of requests without a response', () => {
  const ledger = new Ledger();
  ledger.accept('answered', 0);
  for (const marker of ['answered', 'answered', 'unanswered', 'unanswered', 'unanswered']) {
    ledger.deliver(marker, `evt_${marker}`, 10);
  }
  expect(ledger.tally()).toMatchObject({
    accepted: 1,
    delivered: 1,
    lost: 0,
    extraCopies: 3,
    doubles: 0,
  });
});

test('counts another event with the same marker as a double', () => {
  const ledger = new Ledger();
  ledger.accept('repeated', 0);
  for (const eventId of ['evt_1', 'evt_2', 'evt_2']) ledger.deliver('repeated', eventId, 10);
  expect(ledger.tally()).toMatchObject({ delivered: 1, extraCopies: 0, doubles: 1 });
});

test('accepts a delivery that comes before the response to its request', () => {
  const ledger = new Ledger();
  ledger.deliver('quick', 'evt_1', 10);
  ledger.accept('quick', 20);
  expect(ledger.missing.size).toBe(0);
  expect(ledger.tally()).toMatchObject({ delivered: 1, longestDelayMs: 0 });
});

test('expects one event for a response that comes twice', () => {
  const ledger = new Ledger();
  ledger.accept('same', 10);
  ledger.deliver('same', 'evt_1', 20);
  ledger.accept('same', 30);
  expect(ledger.tally()).toMatchObject({ accepted: 1, delivered: 1, lost: 0, longestDelayMs: 10 });
});
