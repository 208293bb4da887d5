import { execFile } from 'node:child_process';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../temporary-folder.fixture.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** What the examples take from around them. */
const PREAMBLE = `
import { createAtrium, type Atrium, type AssertionCredential, type RegistrationCredential } from '../../src/index.ts';
import { createApplications, type ApplicationsApi } from '../../src/applications.ts';
import { createLoginProviders, type LoginProvidersApi } from '../../src/login-providers.ts';
import { createFiles, type FilesApi } from '../../src/files.ts';
import { createOperator, type OperatorApi } from '../../src/operator.ts';
import { createPortals, type PortalsApi } from '../../src/portals.ts';
import { createWorkspaces, type WorkspacesApi } from '../../src/workspaces.ts';
import { verifyWebhook } from '../../src/webhooks.ts';
declare const atrium: Atrium;
declare const applications: ApplicationsApi;
declare const loginProviders: LoginProvidersApi;
declare const files: FilesApi;
declare const operator: OperatorApi;
declare const portals: PortalsApi;
declare const workspaces: WorkspacesApi;
declare const token: string, password: string, secret: string;
declare const cronSecret: string, internalSecret: string;
declare const credential: AssertionCredential;
declare const registration: RegistrationCredential;
declare const bytes: Uint8Array<ArrayBuffer>;
declare const request: Request;
`;

const METHOD =
  /\/\*\*(?<doc>(?:(?!\*\/)[\s\S])*)\*\/\s*(?:export (?:async )?function )?(?<name>\w+)/g;

async function documented(file: string): Promise<{ name: string; example: string | undefined }[]> {
  const source = await readFile(join(root, 'src', file), 'utf8');
  return [...source.matchAll(METHOD)].map(({ groups: { doc = '', name = '' } = {} }) => {
    const example = doc.split('@example\n')[1]?.replaceAll(/^[ \t]*\*/gm, '');
    return { name, example };
  });
}

const files = await readdir(join(root, 'src', 'api'));
const apis = files.filter((name) => !/\.test\.ts$|^(auth|options)\.ts$/.test(name));
const methods = (await Promise.all(apis.map((name) => documented(`api/${name}`))))
  .flat()
  .filter(({ name }) => name !== 'export');

test('every method has an example', () => {
  expect(methods.length).toBeGreaterThan(80);
  expect(methods.filter(({ example }) => example === undefined)).toEqual([]);
});

test('the compiler accepts every example', async () => {
  const others = (
    await Promise.all(
      [
        'applications.ts',
        'login-providers.ts',
        'create-atrium.ts',
        'files.ts',
        'operator.ts',
        'portals.ts',
        'webhooks.ts',
        'workspaces.ts',
      ].map(documented),
    )
  ).flat();
  const examples = [...methods, ...others.filter(({ example }) => example !== undefined)];
  await using folder = await temporaryFolder();
  const functions = examples.map(
    ({ name, example }) => `export async function example_${name}() {${example}\n}`,
  );
  await writeFile(join(folder.path, 'examples.ts'), [PREAMBLE, ...functions].join('\n'));
  const config = {
    extends: '../../tsconfig.json',
    compilerOptions: { noUnusedLocals: false, noUnusedParameters: false },
    include: ['examples.ts'],
  };
  await writeFile(join(folder.path, 'tsconfig.json'), JSON.stringify(config));
  const compiled = promisify(execFile)('tsc', ['--noEmit', '-p', folder.path], {
    timeout: 120_000,
  });
  await expect(compiled.catch(({ stdout }) => stdout)).resolves.toMatchObject({ stdout: '' });
});
