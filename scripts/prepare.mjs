import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { createHash } from 'node:crypto';
import { delimiter, dirname, join } from 'node:path';
import { runQuietly } from './run.mjs';

/**
 * Installs the dependencies when the lockfile has changed, and has turbo generate the database clients.
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
      // Generating needs no engine, yet Prisma would download one.
      PRISMA_SCHEMA_ENGINE_BINARY: process.env.PRISMA_SCHEMA_ENGINE_BINARY ?? noProgram(),
    },
  };
  await quietly('The database clients could not be generated', 'turbo', ['run', 'generate'], tools);
  return tools;
}

/** @returns {Promise<string>} the folder of the pinned pnpm */
async function install(root, packageManager) {
  const stampFile = join(root, 'node_modules', '.atrium-installed');
  const lock = await readFile(join(root, 'pnpm-lock.yaml'));
  const inputs = [packageManager, process.platform, process.arch, lock];
  const hash = createHash('sha256');
  for (const input of inputs) hash.update(input).update('\0');
  const digest = hash.digest('hex');
  const stamp = await readStamp(stampFile);
  if (stamp?.digest === digest && existsSync(join(stamp.pnpmFolder, 'pnpm'))) {
    return stamp.pnpmFolder;
  }
  console.log('Installing the dependencies (the first time takes a minute or two) …');
  // Without a terminal pnpm asks before it replaces a node_modules folder; CI answers it.
  const tools = { root, env: { ...process.env, CI: 'true' } };
  const script = 'pnpm install --frozen-lockfile >&2 && command -v pnpm';
  const args = ['--yes', `--package=${packageManager}`, '--call', script];
  const output = await quietly('The dependencies could not be installed', 'npx', args, tools);
  const pnpmFolder = dirname(output.trim().split('\n').at(-1));
  await writeFile(stampFile, JSON.stringify({ digest, pnpmFolder }));
  return pnpmFolder;
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
