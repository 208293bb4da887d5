import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findFreePort } from '@atrium/local-stack/ports';
import { until } from '@atrium/testkit/until';
import { type Certificate, createCertificate } from '@atrium/testkit/certificates';
import { findProgram, type Program } from './programs.ts';
import type { Scenario } from './scenario.ts';
import { startServer } from './start-server.ts';
import { askRedis, startRedisServer, tlsQuery, tlsSettings } from './redis-servers.ts';

const SENTINELS = 3;
const DOWN_AFTER_MS = 2_000;
const OUTAGE_MS = 10_000;

export const redisSentinel: Scenario = {
  name: 'redis-sentinel',
  title: 'Redis Sentinel: kill -9 the master, failover',
  needs: ['redis-server', 'redis-cli'],
  prepare: (stack, folder) => startSentinels(stack, folder, 'redis-server'),
};

export const valkeySentinel: Scenario = {
  name: 'valkey-sentinel',
  title: 'Valkey with Sentinel, over TLS: kill -9 the master, failover',
  needs: ['valkey-server', 'redis-cli', 'openssl'],
  async prepare(stack, folder) {
    const certificate = await createCertificate(folder, 'own');
    return startSentinels(stack, folder, 'valkey-server', certificate);
  },
};

/** A master with two replicas and three Sentinels; the master is killed. */
async function startSentinels(
  stack: AsyncDisposableStack,
  folder: string,
  program: Program,
  certificate?: Certificate,
): ReturnType<Scenario['prepare']> {
  const tls = certificate && { 'tls-replication': 'yes', ...tlsSettings(certificate) };
  const start = async (settings: Record<string, string> = {}) => {
    const listen = tls && { port: '0', 'tls-port': String(await findFreePort()), ...tls };
    return startRedisServer(stack, folder, { ...listen, ...settings }, program);
  };
  const master = await start();
  const replicaof = `127.0.0.1 ${master.port}`;
  await start({ replicaof });
  await start({ replicaof });
  const command = await findProgram(program);
  const ports: number[] = [];
  for (let n = 0; n < SENTINELS; n++) {
    const port = await findFreePort();
    const listen = tls ? { port: '0', 'tls-port': String(port), ...tls } : { port: String(port) };
    const file = join(folder, `sentinel-${port}.conf`);
    await writeFile(file, configuration(listen, folder, master.port));
    await startServer(stack, { command, args: [file, '--sentinel'], port, folder });
    ports.push(port);
  }
  const agrees = async (port: number) =>
    (await askRedis({ port, certificate }, 'sentinel', 'ckquorum', 'atrium')).startsWith('OK 3');
  await until(async () => (await Promise.all(ports.map(agrees))).every(Boolean), {
    timeoutMs: 60_000,
  });
  const sentinels = ports.map((port) => `127.0.0.1:${port}`).join(',');
  const [scheme, query] = certificate ? ['rediss', tlsQuery(certificate)] : ['redis', ''];
  return {
    env: { REDIS_URL: `${scheme}+sentinel://${sentinels}/atrium${query}` },
    fault: {
      durationMs: OUTAGE_MS,
      async inject(_environment, _receiver, signal) {
        await master.kill();
        await sleep(OUTAGE_MS, undefined, { signal });
        await master.restart();
      },
    },
  };
}

function configuration(listen: Record<string, string>, folder: string, masterPort: number): string {
  const lines = Object.entries(listen).map(([name, value]) => `${name} ${value}`);
  return `${lines.join('\n')}
bind 127.0.0.1
dir ${folder}
sentinel monitor atrium 127.0.0.1 ${masterPort} 2
sentinel down-after-milliseconds atrium ${DOWN_AFTER_MS}
sentinel failover-timeout atrium 10000
`;
}
