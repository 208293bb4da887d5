import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFreePortBase } from '@atrium/local-stack/ports';
import { hasEngine, Stack } from './engine.ts';
import { Platform } from './platform.ts';
import { Steps } from './steps.ts';

const print = (line: string) => process.stdout.write(`${line}\n`);

/** Starts the platform as docker-compose.yml describes it and checks it from outside, step by step. */
async function main(args: string[], signal: AbortSignal): Promise<number> {
  if (!(await hasEngine())) {
    print('npm run test:compose needs a running Docker engine with Compose: `docker info` fails.');
    return 1;
  }
  const folder = await mkdtemp(join(tmpdir(), 'atrium-compose-'));
  // The user of the containers writes its emails here.
  await chmod(folder, 0o777);
  const port = await findFreePortBase();
  const url = `http://127.0.0.1:${port}`;
  await using stack = await Stack.open(
    {
      HTTP_PORT: `127.0.0.1:${port}`,
      HTTPS_PORT: `127.0.0.1:${port + 1}`,
      MAILPIT_PORT: `127.0.0.1:${port + 3}`,
      AUTH_URL: url,
      NOTES_URL: url,
      LINKS_URL: `${url}/go`,
      WEBHOOKS_URL: url,
      WEB_URL: url,
      CORS_ORIGINS: url,
      TEST_MAIL_DIR: folder,
      TEST_RECEIVER_PORT: String(port + 2),
    },
    signal,
  );
  const platform = new Platform({
    url,
    receiverUrl: `http://127.0.0.1:${port + 2}`,
    mailDir: folder,
  });
  const steps = new Steps(stack, platform, folder);
  const all: [name: string, run: () => Promise<string>][] = [
    ['every container starts', () => steps.start()],
    ['memory at rest', () => steps.rest()],
    ['an event of each kind reaches its receiver', () => steps.deliverEveryEvent()],
    ['files and streams pass the gateway', () => steps.passGateway()],
    ['a container that is taken over reads nothing of others', () => steps.keepServicesApart()],
    ['requests are spread over all replicas', () => steps.scale()],
    ['a replica is killed under load', () => steps.killReplica()],
    ['every service is replaced under load', () => steps.restartOneByOne()],
    ['a backup is restored into an empty platform', () => steps.restore()],
    ['memory a minute after full load', () => steps.fullLoad()],
  ];
  if (!args.includes('--no-build')) all.unshift(['the image builds', () => steps.build()]);
  const interrupted = once(signal, 'abort').then((): never => {
    throw signal.reason;
  });
  interrupted.catch(() => undefined);
  let failed = 0;
  try {
    for (const [name, run] of all) {
      try {
        const found = await Promise.race([run(), interrupted]);
        print(`✓ ${name}: ${found}`);
      } catch (error) {
        signal.throwIfAborted();
        failed++;
        print(`✗ ${name}: ${error instanceof Error ? error.message : String(error)}`);
      }
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  print(`\n${all.length - failed} steps passed, ${failed} failed`);
  return failed === 0 ? 0 : 1;
}

const stopping = new AbortController();
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(name, () => {
    if (!stopping.signal.aborted) print('\nStopping …');
    stopping.abort();
  });
}
try {
  process.exitCode = await main(process.argv.slice(2), stopping.signal);
} catch (error) {
  if (!stopping.signal.aborted) throw error;
  // What an interrupted step waits for must not keep the process.
  process.exit(130);
}
