import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openLogFiles } from './log-files.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'atrium-logs-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const read = (name: string) => readFile(join(folder, name), 'utf8');

test('writes each process to a file of its own', async () => {
  using logs = openLogFiles(folder);
  logs.write('auth', 'one');
  logs.write('notes', 'two');
  logs.write('auth', 'three');
  expect([await read('auth.log'), await read('notes.log')]).toEqual(['one\nthree\n', 'two\n']);
});

test('starts new files and keeps those of the run before', async () => {
  for (const line of ['first', 'second', 'third']) {
    using logs = openLogFiles(folder);
    logs.write('auth', line);
  }
  expect(await readdir(folder)).toEqual(['auth.log', 'auth.log.1']);
  expect([await read('auth.log'), await read('auth.log.1')]).toEqual(['third\n', 'second\n']);
});

test('keeps two full files at most', async () => {
  using logs = openLogFiles(folder, 20);
  for (let n = 10; n < 30; n++) logs.write('auth', `line ${n}`);
  expect(await readdir(folder)).toEqual(['auth.log', 'auth.log.1']);
  expect(await read('auth.log.1')).toBe('line 26\nline 27\n');
  expect(await read('auth.log')).toBe('line 28\nline 29\n');
});
