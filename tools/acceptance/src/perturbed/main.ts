import { spawn } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { createRandom } from './random.ts';

const USAGE = 'Usage: pnpm test:perturbed [--seed SEED] [--minutes N] [FILE]...';
const ROOT = fileURLToPath(new URL('../../../..', import.meta.url));
const FOLDER = join('tools', 'acceptance', 'src', 'web');
const DEFAULT_MINUTES = 45;
const MINUTE_MS = 60_000;
/** Everything takes longer. */
const TEST_TIMEOUT_MS = 240_000;
/** For a file, of which some are long. */
const FILE_TIMEOUT_MS = 15 * MINUTE_MS;

const print = (line: string) => process.stdout.write(`${line}\n`);

interface Options {
  seed: string;
  minutes: number;
  /** Parts of the names of the files to run; none means all. */
  names: string[];
}

/** @throws Error with the usage */
function readArguments(): Options {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: {
        seed: { type: 'string', default: String(Date.now() % 1_000_000) },
        minutes: { type: 'string', default: String(DEFAULT_MINUTES) },
      },
    });
    const minutes = Number(values.minutes);
    if (!(minutes > 0)) throw new Error(`--minutes must be a number, not "${values.minutes}".`);
    return { seed: values.seed, minutes, names: positionals };
  } catch (cause) {
    throw new Error(`${cause instanceof Error ? cause.message : String(cause)}\n${USAGE}`);
  }
}

/** The browser tests, in an order that follows from the seed. */
async function findFiles({ seed, names }: Options): Promise<string[]> {
  const all = (await readdir(join(ROOT, FOLDER), { recursive: true })).filter((name) =>
    name.endsWith('.test.ts'),
  );
  const files = all.filter(
    (file) => names.length === 0 || names.some((name) => file.includes(basename(name))),
  );
  return createRandom(seed).shuffled(files.toSorted());
}

/** @returns whether all tests of the file passed */
async function passes(file: string, seed: string, signal: AbortSignal): Promise<boolean> {
  const child = spawn(
    process.execPath,
    [
      join('node_modules', 'vitest', 'vitest.mjs'),
      'run',
      join(FOLDER, file),
      `--testTimeout=${TEST_TIMEOUT_MS}`,
    ],
    {
      cwd: ROOT,
      env: { ...process.env, PERTURBED_SEED: `${seed} ${file}` },
      stdio: 'inherit',
      signal: AbortSignal.any([signal, AbortSignal.timeout(FILE_TIMEOUT_MS)]),
      killSignal: 'SIGTERM',
    },
  );
  // Also what the signal ends.
  child.on('error', (error) => print(`${file}: ${error.message}`));
  const code = await new Promise((resolve) => child.once('close', resolve));
  return code === 0;
}

/** @returns the exit code: 0 when every file that was run passed */
async function main(signal: AbortSignal): Promise<number> {
  const options = readArguments();
  const { seed, minutes } = options;
  const files = await findFiles(options);
  print(`Seed ${seed}: ${files.length} files, for ${minutes} minutes at most.`);
  const endMs = performance.now() + minutes * MINUTE_MS;
  const results: string[] = [];
  let failed = 0;
  for (const file of files) {
    if (signal.aborted || performance.now() > endMs) {
      results.push(`not run   ${file}`);
      continue;
    }
    // A second failure with the same seed is hardly that of a busy machine.
    const isFine = await passes(file, seed, signal);
    const isFineAgain = !isFine && !signal.aborted && (await passes(file, seed, signal));
    if (signal.aborted) {
      results.push(`not run   ${file}`);
      continue;
    }
    if (!isFine) failed += 1;
    results.push(`${isFine ? 'passed  ' : isFineAgain ? 'once    ' : 'FAILED  '}  ${file}`);
  }
  print(`\nSeed ${seed}; "once" failed and then passed\n${results.join('\n')}`);
  if (failed > 0) print(`\nAgain: pnpm test:perturbed --seed ${seed} FILE`);
  return failed === 0 && !signal.aborted ? 0 : 1;
}

const stopping = new AbortController();
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(name, () => stopping.abort());
}
try {
  process.exitCode = await main(stopping.signal);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 2;
}
