import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { createHash } from 'node:crypto';
import { delimiter, dirname, join } from 'node:path';
import { runQuietly } from './run.mjs';

/**
 * Installs the dependencies when the lockfile has changed, and has turbo generate the database clients and
 * build the pages.
 * @param {string} root the repository
 * @returns {Promise<{ root: string, node: string, env: NodeJS.ProcessEnv }>} the pinned Node, and an
 *   environment in which it and the pinned pnpm are the `node` and `pnpm` of every script
 */
export async function prepare(root) {
  const { packageManager } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
  const pnpmFolder = await install(root, packageManager);
  const bin = join(root, 'node_modules', '.bin');
  const tools = {
    root,
    node: join(bin, 'node'),
    env: {
      ...process.env,
      PATH: [bin, pnpmFolder, process.env.PATH].join(delimiter),
      TURBO_TELEMETRY_DISABLED: '1',
      // A process starts in two thirds of the time where the code is compiled already.
      NODE_COMPILE_CACHE: join(root, 'node_modules', '.cache', 'node'),
      // Generating needs no engine, yet Prisma would download one.
      PRISMA_SCHEMA_ENGINE_BINARY: process.env.PRISMA_SCHEMA_ENGINE_BINARY ?? noProgram(),
    },
  };
  const tasks = ['run', 'generate', '@atrium/web#build'];
  await quietly('The database clients or the pages could not be built', 'turbo', tasks, tools);
  return tools;
}

/** @returns {Promise<string>} the folder of the pinned pnpm */
async function install(root, packageManager) {
  const stampFile = join(root, 'node_modules', '.atrium-installed');
  const pnpmLock = await readFile(join(root, 'scripts', 'pnpm', 'package-lock.json'), 'utf8');
  const lock = await readFile(join(root, 'pnpm-lock.yaml'));
  const hash = createHash('sha256');
  for (const input of [packageManager, process.platform, process.arch, pnpmLock, lock]) {
    hash.update(input).update('\0');
  }
  const digest = hash.digest('hex');
  const stamp = await readStamp(stampFile);
  if (stamp?.digest === digest && existsSync(join(stamp.pnpmFolder, 'pnpm'))) {
    return stamp.pnpmFolder;
  }
  console.log('Installing the dependencies (the first time takes a minute or two) …');
  // Without a terminal pnpm asks before it replaces a node_modules folder; CI answers it.
  const tools = { root, env: { ...process.env, CI: 'true' } };
  const pnpmFolder = await installPnpm(packageManager, JSON.parse(pnpmLock), tools);
  const args = ['install', '--frozen-lockfile'];
  await quietly('The dependencies could not be installed', join(pnpmFolder, 'pnpm'), args, tools);
  await writeFile(stampFile, JSON.stringify({ digest, pnpmFolder }));
  return pnpmFolder;
}

/** npm checks pnpm's binary against the lockfile, or has the registry's word where none is pinned. */
async function installPnpm(packageManager, { packages }, tools) {
  const failure = 'pnpm could not be installed';
  const binary = `node_modules/@pnpm/exe.${process.platform}-${process.arch}`;
  if (binary in packages) {
    const folder = join(tools.root, 'scripts', 'pnpm');
    await quietly(failure, 'npm', ['ci', '--no-audit', '--no-fund', `--prefix=${folder}`], tools);
    return join(folder, binary);
  }
  const args = ['--yes', `--package=${packageManager.split('+')[0]}`, '--call', 'command -v pnpm'];
  const output = await quietly(failure, 'npx', args, tools);
  return dirname(output.trim().split('\n').at(-1));
}

/** @throws Error with the program's whole output when it fails */
async function quietly(failure, command, args, tools) {
  const { code, stdout, output } = await runQuietly(command, args, tools);
  if (code !== 0) throw new Error(`${output}\n${failure} (exit code ${code}): see above.`);
  return stdout;
}

async function readStamp(file) {
  try {
    return JSON.parse(await readFile(file, 'utf8'));
  } catch {
    // Missing, or cut off by an interrupted install: both mean that nothing is installed.
    return null;
  }
}

function noProgram() {
  return existsSync('/bin/true') ? '/bin/true' : '/usr/bin/true';
}
