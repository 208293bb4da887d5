import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { runQuietly } from './run.mjs';

const tools = { root: fileURLToPath(new URL('..', import.meta.url)), env: process.env };

test('collects both streams and the exit code', async () => {
  const run = await runQuietly('/bin/sh', ['-c', 'echo out; echo err >&2; exit 3'], tools);
  expect(run).toMatchObject({ code: 3, stdout: 'out\n' });
  expect(run.output.split('\n').toSorted()).toEqual(['', 'err', 'out']);
});

test('reports a signal as 128 plus its number', async () => {
  const run = await runQuietly('/bin/sh', ['-c', 'kill -TERM $$'], tools);
  expect(run.code).toBe(143);
});
