import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { until } from '@atrium/testkit/until';

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));
const COMPOSE_FILE = `${ROOT}docker-compose.yml`;
const OVERRIDE = fileURLToPath(new URL('override.yml', import.meta.url));
const COMMAND_TIMEOUT_MS = 600_000;
const HEALTHY_MS = 180_000;

export interface RunOptions {
  env?: Record<string, string>;
  input?: string;
  signal?: AbortSignal;
}

/** Runs a program in the repository. @throws Error with its whole output when it fails */
async function run(
  command: string,
  args: string[],
  { signal, ...options }: RunOptions = {},
): Promise<string> {
  const child = spawn(command, args, {
    cwd: ROOT,
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...options.env },
    signal: AbortSignal.any([AbortSignal.timeout(COMMAND_TIMEOUT_MS), ...(signal ? [signal] : [])]),
  });
  // A program may exit without reading its input; its exit code says whether that is right.
  child.stdin.on('error', () => undefined).end(options.input ?? '');
  const exited = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  const [stdout, stderr, code] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    exited,
  ]);
  if (code !== 0)
    throw new Error(`${command} ${args.join(' ')} exited with ${code}:\n${stdout}${stderr}`);
  return stdout;
}

export const docker = (args: string[], options?: RunOptions) => run('docker', args, options);

/** Whether a Docker engine answers. */
export async function hasEngine(): Promise<boolean> {
  try {
    await docker(['info']);
    return true;
  } catch {
    return false;
  }
}

/**
 * Every variable of docker-compose.yml, empty, which is its default: Compose would take it from an `.env`, which is that
 * of another platform on this host.
 */
async function defaults(): Promise<Record<string, string>> {
  const variables = (await readFile(COMPOSE_FILE, 'utf8')).matchAll(/(?<!\$)\$\{(\w+)/g);
  return Object.fromEntries(Array.from(variables, ([, name = '']) => [name, '']));
}

/** A Compose project of its own, which leaves other platforms on this engine alone. */
export class Stack implements AsyncDisposable {
  readonly #env: Record<string, string>;
  readonly #compose: [string, ...string[]];
  readonly #signal: AbortSignal;

  private constructor(
    env: Record<string, string>,
    compose: [string, ...string[]],
    signal: AbortSignal,
  ) {
    this.#env = env;
    this.#compose = compose;
    this.#signal = signal;
  }

  /** @param signal ends the programs that its methods run */
  static async open(env: Record<string, string>, signal: AbortSignal): Promise<Stack> {
    const version = await docker(['compose', 'version']).catch(() => undefined);
    const project = {
      COMPOSE_PROJECT_NAME: 'atrium-test',
      COMPOSE_FILE: `${COMPOSE_FILE}:${OVERRIDE}`,
    };
    return new Stack(
      { ...(await defaults()), ...project, ...env },
      version === undefined ? ['docker-compose'] : ['docker', 'compose'],
      signal,
    );
  }

  compose(...args: string[]): Promise<string> {
    const [command, ...first] = this.#compose;
    return run(command, [...first, ...args], { env: this.#env, signal: this.#signal });
  }

  script(file: string, ...args: string[]): Promise<string> {
    return run('sh', [file, ...args], { env: this.#env, signal: this.#signal });
  }

  /** The ids of the running containers of a service. */
  async containers(service: string): Promise<string[]> {
    const label = (name: string, value: string) => `label=com.docker.compose.${name}=${value}`;
    const filters = [label('project', 'atrium-test'), label('service', service)];
    const ids = await docker(['ps', '-q', ...filters.flatMap((filter) => ['--filter', filter])]);
    return ids.split('\n').filter((id) => id !== '');
  }

  /** Resolves when every container of these services is healthy, also those that start later. */
  async healthy(services: readonly string[]): Promise<void> {
    const format = '{{.State.Health.Status}}';
    await until(
      async () => {
        const ids = (await Promise.all(services.map((name) => this.containers(name)))).flat();
        const states = await docker(['inspect', '--format', format, ...ids]);
        return ids.length >= services.length && !/starting|unhealthy/.test(states);
      },
      { timeoutMs: HEALTHY_MS, intervalMs: 500 },
    );
  }

  /** Memory in MB by container, without the file cache. */
  async memory(): Promise<Map<string, number>> {
    const format = '{{.Name}} {{.MemUsage}}';
    const lines = (await docker(['stats', '--no-stream', '--format', format])).split('\n');
    const units: Record<string, number> = { KiB: 1 / 1024, MiB: 1, GiB: 1024 };
    return new Map(
      lines.flatMap((line) => {
        const [, name, amount, unit] = /^atrium-test[-_](\S+) ([\d.]+)(\w+) /.exec(line) ?? [];
        if (name === undefined || unit === undefined) return [];
        return [[name, Math.round(Number(amount) * (units[unit] ?? 0))]];
      }),
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const [command, ...first] = this.#compose;
    await run(command, [...first, 'down', '--volumes', '--timeout', '5'], { env: this.#env });
  }
}
