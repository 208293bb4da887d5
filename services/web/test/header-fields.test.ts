import { expect, test } from 'vitest';
import { faultyNames, toHeaders } from '../browser/webhooks/header-fields.ts';

const field = (name: string, value = '1') => ({ name, value });

test('stores the headers that have a name, without space around them', () => {
  const fields = [field(' X-Team ', ' green '), field('', ' ')];
  expect(toHeaders(fields)).toEqual({ 'X-Team': 'green' });
  expect(faultyNames(fields)).toEqual(new Map());
});

test('finds what would not be stored: a value without a name, and a name given twice', () => {
  const fields = [field('X-Team'), field(' '), field('x-team '), field('Other')];
  expect([...faultyNames(fields)]).toEqual([
    [1, 'missing'],
    [2, 'twice'],
  ]);
});
