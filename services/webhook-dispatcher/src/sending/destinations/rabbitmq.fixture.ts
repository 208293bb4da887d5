import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { access, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from '@atrium/testkit/until';
import { connect } from 'amqplib';

/** Where Debian has it: the one on its PATH is for its own user and folders. */
const DEBIAN_SERVER = '/usr/lib/rabbitmq/bin/rabbitmq-server';
const START_TIMEOUT_MS = 120_000;

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** A real RabbitMQ on ports and in a folder of its own; user and password are `guest`. */
export async function startRabbitMq() {
  const folder = await mkdtemp(join(tmpdir(), 'rabbitmq-'));
  const [port, distPort, epmdPort] = [await freePort(), await freePort(), await freePort()];
  const plugins = join(folder, 'plugins');
  await Promise.all([writeFile(plugins, '[].'), mkdir(join(folder, 'log'))]);
  const command = await access(DEBIAN_SERVER).then(
    () => DEBIAN_SERVER,
    () => 'rabbitmq-server',
  );
  const env = {
    PATH: process.env['PATH'],
    LANG: 'C.UTF-8',
    HOME: folder,
    RABBITMQ_NODENAME: `atrium-${port}@localhost`,
    RABBITMQ_NODE_IP_ADDRESS: '127.0.0.1',
    RABBITMQ_NODE_PORT: String(port),
    RABBITMQ_DIST_PORT: String(distPort),
    RABBITMQ_MNESIA_BASE: join(folder, 'data'),
    RABBITMQ_LOG_BASE: join(folder, 'log'),
    RABBITMQ_ENABLED_PLUGINS_FILE: plugins,
    RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS: '-kernel inet_dist_use_interface {127,0,0,1}',
    ERL_EPMD_ADDRESS: '127.0.0.1',
    ERL_EPMD_PORT: String(epmdPort),
    // Otherwise it does not end while it still knows of the server that has just been killed.
    ERL_EPMD_RELAXED_COMMAND_CHECK: 'true',
  };
  const url = `amqp://127.0.0.1:${port}/`;
  let server: ChildProcess | undefined;

  async function kill() {
    if (server?.pid === undefined) return;
    const ended = once(server, 'close');
    // Its script starts Erlang as a child of its own.
    process.kill(-server.pid, 'SIGKILL');
    await ended;
    server = undefined;
  }

  async function start() {
    const child = spawn(command, [], { env, detached: true, stdio: 'ignore' });
    child.on('error', () => {
      throw new Error('rabbitmq-server is needed: apt-get install rabbitmq-server');
    });
    server = child;
    await until(
      async () => {
        if (child.exitCode !== null) throw new Error('rabbitmq-server has ended');
        await (await connect(url)).close();
        return true;
      },
      { timeoutMs: START_TIMEOUT_MS },
    );
  }

  await start();
  return {
    url,
    /** As a power failure would. */
    kill,
    start,
    async [Symbol.asyncDispose]() {
      await kill();
      const epmd = spawn('epmd', ['-kill'], { env, stdio: 'ignore' });
      await once(epmd, 'close');
      await rm(folder, { recursive: true, force: true });
    },
  };
}
