import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { findExecutable } from '../processes/daemon.ts';
import { isPortFree } from '../ports.ts';

const run = promisify(execFile);
const DOCKER_IMAGE = 'redis:8.2-alpine';
const DOCKER_PROBE_TIMEOUT_MS = 5_000;

/** A way to run a Redis server on this machine. */
export interface RedisProgram {
  command(port: number, settings: string[]): { command: string; args: string[] };
  /** The path of the data directory as the server process sees it. */
  dirSeenByServer(dataDir: string): string;
  /** Removes the container that a killed run left behind. */
  removeLeftover(): Promise<void>;
}

/**
 * redis-server or valkey-server on the PATH, else Docker if an engine answers, else, as root on
 * Debian or Ubuntu, the package redis-server.
 * @throws Error with the command that installs it on this system
 */
export async function findRedisProgram(
  dataDir: string,
  onProgress: (line: string) => void,
): Promise<RedisProgram> {
  const installed = await findInstalled();
  if (installed !== null) return directly(installed);
  if (await dockerAnswers()) return inDocker(dataDir);
  if (process.getuid?.() === 0 && (await findExecutable('apt-get')) !== null) {
    await installPackage(onProgress);
    const file = await findInstalled();
    if (file !== null) return directly(file);
  }
  throw new Error(
    `No Redis found. Run \`${await installLine()}\` and start again, or set REDIS_URL.`,
  );
}

async function findInstalled(): Promise<string | null> {
  return (await findExecutable('redis-server')) ?? (await findExecutable('valkey-server'));
}

function directly(file: string): RedisProgram {
  return {
    command: (port, settings) => ({
      command: file,
      args: ['--port', String(port), '--bind', '127.0.0.1', ...settings],
    }),
    dirSeenByServer: (dataDir) => dataDir,
    removeLeftover: () => Promise.resolve(),
  };
}

function inDocker(dataDir: string): RedisProgram {
  // One name per data directory, so a container with this name is a leftover.
  const name = `atrium-redis-${createHash('sha256').update(dataDir).digest('hex').slice(0, 12)}`;
  const user = `${process.getuid?.() ?? 0}:${process.getgid?.() ?? 0}`;
  return {
    command: (port, settings) => ({
      command: 'docker',
      args: [
        'run',
        '--rm',
        `--name=${name}`,
        `--user=${user}`,
        `--volume=${dataDir}:/data`,
        `--publish=127.0.0.1:${port}:6379`,
        DOCKER_IMAGE,
        'redis-server',
        ...settings,
      ],
    }),
    dirSeenByServer: () => '/data',
    async removeLeftover() {
      await run('docker', ['rm', '--force', name]);
    },
  };
}

async function dockerAnswers(): Promise<boolean> {
  return run('docker', ['info'], { timeout: DOCKER_PROBE_TIMEOUT_MS }).then(
    () => true,
    () => false,
  );
}

async function installPackage(onProgress: (line: string) => void): Promise<void> {
  onProgress('Redis is missing: installing the package redis-server …');
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const wasFree = await isPortFree(6379);
  const install = () =>
    run('apt-get', ['install', '--yes', '--no-install-recommends', 'redis-server'], { env });
  try {
    await install();
  } catch {
    // The package lists are missing or out of date.
    await run('apt-get', ['update'], { env });
    await install();
  }
  // With systemd the package starts a service of its own.
  if (wasFree && !(await isPortFree(6379))) {
    onProgress('The package started a service on port 6379: stopping it.');
    await run('systemctl', ['disable', '--now', 'redis-server']).catch(() =>
      run('service', ['redis-server', 'stop']),
    );
  }
}

async function installLine(): Promise<string> {
  if (process.platform === 'darwin') return 'brew install redis';
  const release = await readFile('/etc/os-release', 'utf8').catch(() => '');
  const isLike = (name: string) => new RegExp(`^ID(_LIKE)?=.*\\b${name}\\b`, 'm').test(release);
  if (isLike('debian')) return 'sudo apt-get install -y redis-server';
  if (isLike('fedora') || isLike('rhel')) return 'sudo dnf install -y valkey';
  if (isLike('arch')) return 'sudo pacman -S --noconfirm valkey';
  if (isLike('alpine')) return 'sudo apk add redis';
  return 'docker run -d -p 127.0.0.1:6380:6379 redis:8 && export REDIS_URL=redis://127.0.0.1:6380';
}
