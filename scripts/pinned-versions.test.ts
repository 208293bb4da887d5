import { readFile, realpath, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { expect, test } from 'vitest';

async function matches(file: string, pattern: RegExp): Promise<Set<string | undefined>> {
  const text = await readFile(new URL(`../${file}`, import.meta.url), 'utf8');
  return new Set(Array.from(text.matchAll(pattern), (match) => match[1]));
}

test('the workspace, its binaries and the images use one version of Node', async () => {
  const pinned = await matches('pnpm-workspace.yaml', /^ +node(?:-linux-\w+)?: (\d\S+)$/gm);
  expect(pinned.size).toBe(1);
  expect(await matches('Dockerfile', /^FROM node:([\d.]+)/gm)).toEqual(pinned);
});

test('the package manager is the version whose binaries npm checks', async () => {
  const pinned = await matches('package.json', /"pnpm@([\d.]+)\+sha512\.[0-9a-f]{128}"/g);
  expect(pinned.size).toBe(1);
  const binaries = await matches('scripts/pnpm/package-lock.json', /"version": "(\S+)"/g);
  expect(binaries).toEqual(pinned);
});

test('npm checks the hash of every binary of the package manager', async () => {
  const lock = await readFile(new URL('pnpm/package-lock.json', import.meta.url), 'utf8');
  const { '': _root, ...binaries }: Record<string, { integrity?: string }> =
    JSON.parse(lock).packages;
  for (const [name, { integrity }] of Object.entries(binaries)) {
    expect([name, integrity]).toEqual([name, expect.stringMatching(/^sha512-/)]);
  }
});

test('Node on Linux is the binary that the lockfile has checked, and no download', async () => {
  if (process.platform !== 'linux') return;
  const node = await realpath(new URL('../node_modules/node', import.meta.url));
  const binary = createRequire(`${node}/package.json`).resolve(
    `node-linux-${process.arch}/bin/node`,
  );
  expect((await stat(`${node}/bin/node`)).ino).toBe((await stat(binary)).ino);
});
