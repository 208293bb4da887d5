import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { runForeground } from './run.mjs';

const run = promisify(execFile);

/**
 * Brings dependencies and generated code up to date, doing nothing where nothing has changed.
 * @param {string} root the repository
 * @param {{ withPnpm: boolean }} options whether the pinned pnpm is needed on the PATH (turbo does)
 * @returns {Promise<{ root: string, node: string, env: NodeJS.ProcessEnv }>} the pinned Node, and
 *   an environment in which it is the `node` of every script.
 */
export async function prepare(root, { withPnpm }) {
  const { packageManager } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
  await install(root, packageManager);
  const bin = join(root, 'node_modules', '.bin');
  const pnpmBin = withPnpm ? [await folderOfPnpm(packageManager)] : [];
  const path = [bin, ...pnpmBin, process.env.PATH].join(delimiter);
  const tools = { root, node: join(bin, 'node'), env: { ...process.env, PATH: path } };
  await generate(tools);
  return tools;
}

async function install(root, packageManager) {
  const stampFile = join(root, 'node_modules', '.atrium-installed');
  const lock = await readFile(join(root, 'pnpm-lock.yaml'));
  const stamp = digest([packageManager, process.platform, process.arch, lock]);
  if ((await readStamp(stampFile)) === stamp) return;
  console.log('Installing the dependencies …');
  const code = await runForeground(
    'npx',
    ['-y', packageManager, 'install', '--frozen-lockfile'],
    // Without a terminal pnpm asks before it replaces a node_modules folder; CI answers it.
    { root, env: { ...process.env, CI: 'true' } },
  );
  if (code !== 0) throw new Error(`The dependencies could not be installed (exit code ${code}).`);
  await writeFile(stampFile, stamp);
}

/** npx keeps the pinned pnpm in its cache and knows where. */
async function folderOfPnpm(packageManager) {
  const args = ['-y', '-p', packageManager, '-c', 'command -v pnpm'];
  const { stdout } = await run('npx', args);
  return dirname(stdout.trim());
}

/** Prisma's client of each service whose schema has changed since it was generated. */
async function generate({ root, env }) {
  const prisma = join(root, 'node_modules', '.bin', 'prisma');
  const version = await readFile(join(root, 'node_modules', 'prisma', 'package.json'));
  const names = await readdir(join(root, 'services'));
  const folders = names.map((name) => join(root, 'services', name));
  const results = await Promise.allSettled(
    folders
      .filter((folder) => existsSync(join(folder, 'prisma', 'schema.prisma')))
      .map((folder) => generateClient(folder, prisma, version, env)),
  );
  const failed = results.find(({ status }) => status === 'rejected');
  if (failed !== undefined) throw failed.reason;
}

async function generateClient(folder, prisma, version, env) {
  const inputs = ['prisma/schema.prisma', 'prisma.config.ts'].map((name) => join(folder, name));
  const stamp = digest([version, ...(await Promise.all(inputs.map((file) => readFile(file))))]);
  const stampFile = join(folder, 'node_modules', '.atrium-generated');
  const client = join(folder, 'src', 'generated', 'client.ts');
  if (existsSync(client) && (await readStamp(stampFile)) === stamp) return;
  await run(prisma, ['generate'], {
    cwd: folder,
    // Generating needs no engine, yet Prisma would download one.
    env: { ...env, PRISMA_SCHEMA_ENGINE_BINARY: env.PRISMA_SCHEMA_ENGINE_BINARY ?? noProgram() },
  });
  await writeFile(stampFile, stamp);
}

function noProgram() {
  return existsSync('/bin/true') ? '/bin/true' : '/usr/bin/true';
}

function digest(parts) {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part).update('\0');
  return hash.digest('hex');
}

async function readStamp(file) {
  return readFile(file, 'utf8').catch(() => null);
}
