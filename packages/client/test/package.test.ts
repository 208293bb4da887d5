import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { publint } from 'publint';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bundle } from '../src/bundle.fixture.ts';
import { temporaryFolder } from '../src/temporary-folder.fixture.ts';

const root = join(import.meta.dirname, '..');
const run = promisify(execFile);
const folder = await mkdtemp(join(tmpdir(), 'atrium-package-'));
/** Where a product has the package. */
const installed = join(folder, 'node_modules', '@atrium', 'client');

beforeAll(async () => {
  await run(process.execPath, [join(root, 'scripts', 'build.ts')], { timeout: 120_000 });
  await run('pnpm', ['pack', '--pack-destination', folder], { cwd: root, timeout: 60_000 });
  const archive = (await readdir(folder)).find((name) => name.endsWith('.tgz')) ?? '';
  await mkdir(installed, { recursive: true });
  await run('tar', ['-xzf', join(folder, archive), '--strip-components=1', '-C', installed]);
  await writeFile(join(folder, 'package.json'), '{"type":"module"}');
  for (const name of ['react', '@types/react']) {
    await mkdir(join(folder, 'node_modules', '@types'), { recursive: true });
    await symlink(join(root, 'node_modules', name), join(folder, 'node_modules', name));
  }
});
afterAll(() => rm(folder, { recursive: true }));

/** What the compiler says about this file of a product. */
async function compile(source: string, references: string[] = []): Promise<string> {
  await writeFile(join(folder, 'product.ts'), source);
  const compilerOptions = {
    noEmit: true,
    strict: true,
    exactOptionalPropertyTypes: true,
    target: 'es2022',
    module: 'nodenext',
    lib: ['es2022', 'dom', 'dom.iterable', 'dom.asynciterable'],
    types: [],
    allowImportingTsExtensions: true,
    skipLibCheck: false,
  };
  const config = { compilerOptions, include: ['product.ts', ...references] };
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(config));
  const compiled = run('tsc', ['-p', folder], { cwd: folder, timeout: 120_000 });
  return compiled.then(
    () => '',
    (error: unknown) => (error as { stdout: string }).stdout,
  );
}

test('publint finds nothing wrong', async () => {
  const { messages } = await publint({ pkgDir: installed, strict: true, pack: false });
  expect(messages).toEqual([]);
});

test('depends on nothing but React, and only its command on Node', async () => {
  const { dependencies, peerDependencies } = JSON.parse(
    await readFile(join(installed, 'package.json'), 'utf8'),
  );
  expect(dependencies).toBeUndefined();
  expect(Object.keys(peerDependencies)).toEqual(['react']);
  const names = await readdir(join(installed, 'dist'), { recursive: true });
  const imported = new Set<string>();
  for (const name of names.filter((each) => /\.(js|d\.ts)$/.test(each))) {
    const text = await readFile(join(installed, 'dist', name), 'utf8');
    for (const [, from = ''] of text.matchAll(/(?:from|import\()\s*'([^.'][^']*)'/g))
      if (!name.startsWith('command') || !from.startsWith('node:')) imported.add(from);
  }
  expect([...imported]).toEqual(['react']);
});

test('its declarations compile in a product that checks them', async () => {
  const product = `
    import { AtriumError, createAtrium, type Note, type PublishResult } from '@atrium/client';
    import { useAuth } from '@atrium/client/react';
    import { verifyWebhook } from '@atrium/client/webhooks';
    const url = 'https://example.com';
    const atrium = createAtrium({ authUrl: url, notesUrl: url, linksUrl: url, webhooksUrl: url });
    export const note: Promise<Note> = atrium.notes.createNote('ws_1', { title: 'Plans' });
    export const name: () => string | undefined = () => useAuth().user?.name;
    export const status = (error: AtriumError): number => error.status;
    export const idOf = (result: PublishResult) => result.status === 202 ? result.id : result.code;
    export const slug = verifyWebhook('', {}, '').then((event) => {
      return event.event === 'go.click' ? event.data.slug : event.id;
    });
  `;
  expect(await compile(product)).toBe('');
});

test('verified webhooks know the events that a product declares', async () => {
  const declared = `
    declare module '@atrium/client/webhooks' {
      interface WebhookEventData {
        'shop.order_paid': { orderId: string; totalCents: number };
      }
    }`;
  const receiver = `
    import { verifyWebhook } from '@atrium/client/webhooks';
    const event = await verifyWebhook('', {}, '');
    export const cents = event.event === 'shop.order_paid' ? event.data.totalCents : 0;
    export const slug = event.event === 'go.click' ? event.data.slug : '';
  `;
  expect(await compile(receiver)).toContain('TS2367');
  expect(await compile(receiver + declared)).toBe('');
});

test('its types are those of the contracts', async () => {
  const source = await readFile(join(root, 'src', 'types.ts'), 'utf8');
  const names = [...source.matchAll(/^export type (\w+) =/gm)].map(([, name]) => name);
  expect(names.length).toBeGreaterThan(80);
  const checks = names.map(
    (name) => `export const same${name}: Same<published.${name}, contracts.${name}> = true;`,
  );
  await using folder = await temporaryFolder();
  const text = [
    `import type * as contracts from '../../src/types.ts';`,
    `import type * as published from './published.d.ts';`,
    `type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;`,
    ...checks,
  ];
  const config = { extends: '../../tsconfig.json', include: ['same.ts'] };
  await cp(join(installed, 'dist', 'types.d.ts'), join(folder.path, 'published.d.ts'));
  await writeFile(join(folder.path, 'same.ts'), text.join('\n'));
  await writeFile(join(folder.path, 'tsconfig.json'), JSON.stringify(config));
  const compiled = run('tsc', ['--noEmit', '-p', folder.path], { timeout: 120_000 });
  expect(await compiled.catch(({ stdout }: { stdout: string }) => ({ stdout }))).toMatchObject({
    stdout: '',
  });
});

test('runs on Node, and lets the program end when no service can be reached', async () => {
  await writeFile(
    join(folder, 'run.js'),
    `import { createAtrium } from '@atrium/client';
     import { verifyWebhook } from '@atrium/client/webhooks';
     const url = 'http://127.0.0.1:9';
     const { links } = createAtrium({ authUrl: url, notesUrl: url, linksUrl: url, webhooksUrl: url });
     const error = await links.getLink('lnk_1').catch((caught) => caught);
     console.log(typeof verifyWebhook, error.name, error.error);`,
  );
  const { stdout } = await run(process.execPath, [join(folder, 'run.js')], { timeout: 60_000 });
  expect(stdout).toBe('function AtriumError Network Error\n');
});

test.each([
  ['the core', 'index.ts', 6.25 * 1024],
  ['the part for files', 'files.ts', 1024],
  ['the part for operators', 'operator.ts', 1024],
  ['the part for applications', 'applications.ts', 1024],
  ['the part for login providers', 'login-providers.ts', 1024],
  ['the part for shared workspaces', 'workspaces.ts', 1024],
  ['the React part', 'react.ts', 2 * 1024],
  ['webhook verification', 'webhooks.ts', 2 * 1024],
  ['following deliveries', 'deliveries.ts', 2 * 1024],
  ['following a note', 'presence.ts', 2 * 1024],
])('%s is small', async (name, file, limitBytes) => {
  const code = await bundle(file, { minify: true, external: ['react'] });
  const sizeBytes = gzipSync(code, { level: 9 }).length;
  console.log(`${name}: ${sizeBytes} bytes gzip`);
  expect(sizeBytes).toBeLessThanOrEqual(limitBytes);
});
