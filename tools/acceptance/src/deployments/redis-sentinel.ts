import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findFreePort } from '@atrium/local-stack/ports';
import { until } from '@atrium/testkit/until';
import { findProgram } from './programs.ts';
import type { Scenario } from './scenario.ts';
import { startServer } from './start-server.ts';
import { askRedis, startRedisServer } from './redis-servers.ts';

const SENTINELS = 3;
const DOWN_AFTER_MS = 2_000;
const OUTAGE_MS = 10_000;

/** A master with two replicas and three Sentinels; the master is killed. */
export const redisSentinel: Scenario = {
  name: 'redis-sentinel',
  title: 'Redis Sentinel: kill -9 the master, failover',
  needs: ['redis-server', 'redis-sentinel', 'redis-cli'],
  async prepare(stack, folder) {
    const master = await startRedisServer(stack, folder);
    const replicaof = `127.0.0.1 ${master.port}`;
    await startRedisServer(stack, folder, { replicaof });
    await startRedisServer(stack, folder, { replicaof });
    const command = await findProgram('redis-sentinel');
    const ports: number[] = [];
    for (let n = 0; n < SENTINELS; n++) {
      const port = await findFreePort();
      const file = join(folder, `sentinel-${port}.conf`);
      await writeFile(file, configuration(port, folder, master.port));
      await startServer(stack, { command, args: [file], port, folder });
      ports.push(port);
    }
    const agrees = async (port: number) =>
      (await askRedis(port, 'sentinel', 'ckquorum', 'atrium')).startsWith('OK 3');
    await until(async () => (await Promise.all(ports.map(agrees))).every(Boolean), {
      timeoutMs: 60_000,
    });
    const sentinels = ports.map((port) => `127.0.0.1:${port}`).join(',');
    return {
      env: { REDIS_URL: `redis+sentinel://${sentinels}/atrium` },
      fault: {
        durationMs: OUTAGE_MS,
        async inject(_environment, _receiver, signal) {
          await master.kill();
          await sleep(OUTAGE_MS, undefined, { signal });
          await master.restart();
        },
      },
    };
  },
};

function configuration(port: number, folder: string, masterPort: number): string {
  return `port ${port}
bind 127.0.0.1
dir ${folder}
sentinel monitor atrium 127.0.0.1 ${masterPort} 2
sentinel down-after-milliseconds atrium ${DOWN_AFTER_MS}
sentinel failover-timeout atrium 10000
`;
}
