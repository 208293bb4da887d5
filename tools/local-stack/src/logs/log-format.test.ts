import { stripVTControlCharacters } from 'node:util';
import { describe, expect, test } from 'vitest';
import { formatLogLine, isWarning } from './log-format.ts';

const format = (line: string, stacks = false) =>
  stripVTControlCharacters(formatLogLine('auth', line, { stacks }));

describe('formatLogLine', () => {
  test('shows level, message and the fields that differ from line to line', () => {
    const line = '{"level":"info","time":"1","service":"auth","msg":"request","status":200}';
    expect(format(line)).toBe('auth               | info  request status=200');
  });

  test('shows the message of an error, or its stack when asked', () => {
    const err = { message: 'x', stack: 'Error: x\n    at y' };
    const line = JSON.stringify({ level: 'error', msg: 'failed', err });
    expect(format(line)).toBe('auth               | error failed: x');
    expect(format(line, true)).toBe('auth               | error failed\nError: x\n    at y');
  });

  test('leaves a line that is not structured unchanged', () => {
    expect(format('Listening …')).toBe('auth               | Listening …');
    expect(format('{not json')).toBe('auth               | {not json');
  });
});

describe('isWarning', () => {
  test.each([
    ['{"level":"info","msg":"request"}', false],
    ['{"level":"debug","msg":"request"}', false],
    ['', false],
    ['{"level":"warn","msg":"not ready"}', true],
    ['{"level":"fatal","msg":"could not start"}', true],
    ['TypeError: a crash', true],
  ])('%s: %s', (line, expected) => {
    expect(isWarning(line)).toBe(expected);
  });
});
