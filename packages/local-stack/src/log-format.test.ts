import { stripVTControlCharacters } from 'node:util';
import { expect, test } from 'vitest';
import { formatLogLine } from './log-format.ts';

const shown = (line: string) => stripVTControlCharacters(formatLogLine('auth', line));

test('a structured line becomes level, message and the fields that tell something', () => {
  const line = '{"level":30,"time":1,"pid":7,"msg":"request done","status":200,"path":"/user/me"}';
  expect(shown(line)).toBe('auth               | info  request done status=200 path=/user/me');
});

test('an error keeps its stack', () => {
  const line = JSON.stringify({ level: 50, msg: 'failed', err: { stack: 'Error: x\n    at y' } });
  expect(shown(line)).toBe('auth               | error failed\nError: x\n    at y');
});

test('a line that is not structured stays as it is', () => {
  expect(shown('Listening …')).toBe('auth               | Listening …');
  expect(shown('{not json')).toBe('auth               | {not json');
});
