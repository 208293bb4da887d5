// Runs on the machine's own Node (20 or newer) before anything is installed: installs the
// dependencies, then hands over to the Node that the workspace pins.
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { prepare } from './prepare.mjs';
import { runForeground } from './run.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const CHECKS = ['format', 'lint', 'types', 'boundaries', 'unused'];

const commands = {
  /** The whole platform on this machine. */
  start: (tools, args) =>
    runForeground(tools.node, [join('packages', 'local-stack', 'src', 'start.ts'), ...args], tools),

  /** The tests, on a Postgres and a Redis of their own. */
  test: (tools, args) =>
    runForeground(
      tools.node,
      [join('node_modules', 'vitest', 'vitest.mjs'), 'run', ...args],
      tools,
    ),

  /** The tests of the defences alone, and one report of them by number. */
  'test:security': (tools) => runForeground(tools.node, [join('scripts', 'security.mjs')], tools),

  /** Thousands of generated requests to every route of a service: `fuzz auth`. */
  fuzz: (tools, [service = 'auth', count = '20000', seed = String(Date.now() % 2 ** 31)]) =>
    runForeground(
      tools.node,
      [join('node_modules', 'vitest', 'vitest.mjs'), 'run', `services/${service}/src/fuzz/`],
      { ...tools, env: { ...tools.env, FUZZ_REQUESTS: count, FUZZ_SEED: seed } },
    ),

  /** Breaks the platform in every way it promises to survive, and counts what was lost. */
  chaos: (tools, args) =>
    runForeground(
      tools.node,
      [join('packages', 'acceptance', 'src', 'chaos', 'main.ts'), ...args],
      tools,
    ),

  /** Seals the webhook secrets with the first key of SECRETS_KEYS; see the README. */
  'reencrypt-secrets': (tools) =>
    runForeground(
      tools.node,
      [join('services', 'webhook-dispatcher', 'src', 'reencrypt-secrets.ts')],
      tools,
    ),

  /** Speeds beside yardsticks of the same run: `bench auth`, `bench webhooks`. */
  bench: (tools, args) =>
    runForeground(tools.node, [join('packages', 'bench', 'src', 'main.ts'), ...args], tools),

  /** Every check of package.json, to the last one, and then which of them failed. */
  async check(tools, args) {
    const { scripts } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
    const wanted = args.length > 0 ? args : CHECKS;
    const failed = [];
    for (const name of wanted) {
      const script = scripts[`check:${name}`];
      if (script === undefined) throw new Error(`No check "${name}": ${CHECKS.join(', ')}.`);
      console.log(`\n--- ${name}: ${script}`);
      const code = await runForeground('/bin/sh', ['-c', script], tools);
      if (code >= 128) return code;
      if (code !== 0) failed.push(name);
    }
    const passed = wanted.length - failed.length;
    const names = failed.length > 0 ? `: ${failed.join(', ')}` : '';
    console.log(`\n${passed} checks passed, ${failed.length} failed${names}`);
    return failed.length === 0 ? 0 : 1;
  },
};

async function main([name, ...args]) {
  const command = Object.hasOwn(commands, name ?? '') ? commands[name] : undefined;
  if (command === undefined) {
    const names = Object.keys(commands).join('|');
    console.error(`Usage: node scripts/bootstrap.mjs ${names} [arguments]`);
    return 2;
  }
  const tools = await prepare(root);
  return command(tools, args);
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
