// Runs on the machine's own Node (20 or newer) before anything is installed: installs the
// dependencies, then hands over to the Node that the workspace pins.
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { prepare } from './prepare.mjs';
import { runForeground, runQuietly } from './run.mjs';
import { testFolder, withTemporaryFolder } from './temporary-folder.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
/** The quick ones first, so that a small mistake shows at once. */
const CHECKS = ['format', 'boundaries', 'folders', 'unused', 'helm', 'openapi', 'lint'];
const SERVICES = ['--filter-prod={./services/**}...'];
const SBOM = ['sbom', '--prod', '--sbom-format=cyclonedx', '--sbom-type=application'];

const commands = {
  /** Runs the whole platform on this machine. */
  start: (tools, args) =>
    runForeground(tools.node, [join('tools', 'local-stack', 'src', 'start.ts'), ...args], tools),

  /** Runs the tests on their own Postgres and Redis. */
  test: (tools, args) => runTests(tools, args),

  /** Takes pictures of every page, on the way of the tests that use them. */
  screenshots: (tools) =>
    runTests(tools, ['tools/acceptance/src/web/'], {
      SCREENSHOTS: join(root, '.data', 'screenshots'),
    }),

  /** Runs the tests of the defences and reports them by number. */
  'test:security': (tools) => runCleanly(tools, [join('scripts', 'security.mjs')]),

  /** Five browser tabs on a flaky network, while a token expires a hundred times, or so often as given. */
  'test:tabs': (tools, [expiries = '100']) =>
    runTests(tools, ['packages/client/src/session/expiries'], { CLIENT_EXPIRIES: expiries }),

  /** Kills tabs, sessions, networks and services a hundred times each while a note is written, or so often as given. */
  'test:text-loss': (tools, [runs = '100']) =>
    runTests(
      tools,
      ['tools/acceptance/src/own-platform/kills', '--testNamePattern=loses no text'],
      { TEXT_LOSS_RUNS: runs },
    ),

  /** The browser tests with late requests, slow processors and services that stop for moments. */
  'test:perturbed': (tools, args) =>
    runCleanly(tools, [join('tools', 'acceptance', 'src', 'perturbed', 'main.ts'), ...args]),

  /** Attacks real processes with the heap of the image, as one account or many could. */
  'test:budgets': (tools, args) =>
    runForeground(
      tools.node,
      [join('tools', 'acceptance', 'src', 'budgets', 'main.ts'), ...args],
      tools,
    ),

  /** What needs Debian's rabbitmq-server (which is killed), or python3-authlib, -flask and -requests (a site). */
  'test:debian': (tools, args) => runTests(tools, ['--config=vitest.debian.config.ts', ...args]),

  /** Tests the deployment on a Docker engine: gateway, scaling, isolation, backup, rolling restart. */
  'test:compose': (tools, args) =>
    runForeground(
      tools.node,
      [join('tools', 'acceptance', 'src', 'compose', 'main.ts'), ...args],
      tools,
    ),

  /** Runs the platform on clusters, poolers and standbys, and lets them fail under load. */
  'test:deployments': (tools, args) =>
    runForeground(
      tools.node,
      [join('tools', 'acceptance', 'src', 'deployments', 'main.ts'), ...args],
      tools,
    ),

  /** Sends thousands of generated requests to every route of all services, or of one: `fuzz auth`. */
  fuzz: (tools, [service = '', count = '20000', seed = String(Date.now() % 2 ** 31)]) =>
    runTests(tools, [`${service}/src/fuzz/`], { FUZZ_REQUESTS: count, FUZZ_SEED: seed }),

  /** Injects every fault that the platform must survive, and counts lost events. */
  chaos: (tools, args) =>
    runForeground(
      tools.node,
      [join('tools', 'acceptance', 'src', 'chaos', 'main.ts'), ...args],
      tools,
    ),

  /** Lists what the services need at run time, as CycloneDX: `sbom sbom.cdx.json`. */
  sbom: (tools, [file = 'sbom.cdx.json']) =>
    runForeground('pnpm', [...SERVICES, ...SBOM, `--out=${file}`], tools),

  /** Looks up known vulnerabilities of all dependencies. */
  audit: (tools, args) => runForeground('pnpm', ['audit', ...args], tools),

  /** Measures speed next to baselines of the same run: `bench auth`, `bench search`. */
  bench: (tools, args) => runCleanly(tools, [join('tools', 'bench', 'src', 'main.ts'), ...args]),

  /** Runs the checks of package.json, two at a time, and says which of them failed. */
  async check(tools, args) {
    const { scripts } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
    const wanted = args.length > 0 ? args : CHECKS;
    const unknown = wanted.find((name) => scripts[`check:${name}`] === undefined);
    if (unknown !== undefined) throw new Error(`No check "${unknown}": ${CHECKS.join(', ')}.`);
    const passed = [];
    const failed = [];
    const waiting = [...wanted];
    const runNext = async () => {
      for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
        const script = scripts[`check:${name}`];
        const { code, output } = await runQuietly('/bin/sh', ['-c', script], tools);
        console.log(`\n--- ${name}: ${script}\n${output.trimEnd()}`);
        (code === 0 ? passed : failed).push(name);
        // A signal ended it: the checks were interrupted.
        if (code >= 128) waiting.length = 0;
      }
    };
    await Promise.all([runNext(), runNext()]);
    const names = failed.length > 0 ? `: ${failed.join(', ')}` : '';
    console.log(`\n${passed.length} checks passed, ${failed.length} failed${names}`);
    return passed.length === wanted.length ? 0 : 1;
  },
};

/** Runs Vitest, which ends at once when it is interrupted, without the ends of tests. */
async function runTests(tools, args, env = {}) {
  const vitest = join('node_modules', 'vitest', 'vitest.mjs');
  const own = { ...tools, env: { ...tools.env, ...env } };
  return runCleanly(own, [vitest, 'run', ...args], await testFolder());
}

/** Runs a program that leaves files, and perhaps a mount, when it is interrupted. */
function runCleanly(tools, args, parent) {
  return withTemporaryFolder(tools, (own) => runForeground(own.node, args, own), parent);
}

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
