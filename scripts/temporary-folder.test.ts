import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { runQuietly } from './run.mjs';
import { mountsBelow, runsPrograms, withTemporaryFolder } from './temporary-folder.mjs';

const tools = { root: fileURLToPath(new URL('..', import.meta.url)), env: process.env };

test('removes what an interrupted program has left', async () => {
  const script = 'mktemp -d; kill -INT $$';
  const run = await withTemporaryFolder(tools, (own) => runQuietly('/bin/sh', ['-c', script], own));
  expect(run.code).toBe(130);
  expect(run.stdout).toMatch(/\/atrium-\w+\/tmp\.\w+\n$/);
  await expect(stat(dirname(run.stdout))).rejects.toThrow('ENOENT');
});

test('finds what is mounted in it, whatever its name', () => {
  const mounts = [
    'none /tmp/atrium-1/a\\040b tmpfs rw 0 0',
    'none /tmp/atrium-1/a\\040b/\\134c tmpfs rw 0 0',
    'none /tmp/atrium-12/c tmpfs rw 0 0',
    '',
  ].join('\n');
  expect(mountsBelow('/tmp/atrium-1', mounts)).toEqual([
    '/tmp/atrium-1/a b/\\c',
    '/tmp/atrium-1/a b',
  ]);
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

test.each([
  ['tmpfs /dev/shm tmpfs rw,nosuid,nodev 0 0', true],
  ['shm /dev/shm tmpfs rw,nosuid,nodev,noexec,size=9000000k 0 0', false],
  ['/dev/vda /dev/shm ext4 rw 0 0', false],
  ['tmpfs /dev/shm2 tmpfs rw 0 0', false],
  ['tmpfs /dev/shm tmpfs rw 0 0\ntmpfs /dev/shm tmpfs rw,noexec 0 0', false],
])('tests use memory from which programs may be started: %s', (mounts, expected) => {
  expect(runsPrograms('/dev/shm', mounts)).toBe(expected);
});
