import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { runQuietly } from './run.mjs';
import { withTemporaryFolder } from './temporary-folder.mjs';

const tools = { root: fileURLToPath(new URL('..', import.meta.url)), env: process.env };

test('removes what an interrupted program has left', async () => {
  const script = 'mktemp -d; kill -INT $$';
  const run = await withTemporaryFolder(tools, (own) => runQuietly('/bin/sh', ['-c', script], own));
  expect(run.code).toBe(130);
  expect(run.stdout).toMatch(/\/atrium-\w+\/tmp\.\w+\n$/);
  await expect(stat(dirname(run.stdout))).rejects.toThrow('ENOENT');
});

test('removes it also when the work fails', async () => {
  let folder = '';
  const working = withTemporaryFolder(tools, ({ env }) => {
    folder = String(env['TMPDIR']);
    return stat(`${folder}/missing`);
  });
  await expect(working).rejects.toThrow('missing');
  await expect(stat(folder)).rejects.toThrow('ENOENT');
});
