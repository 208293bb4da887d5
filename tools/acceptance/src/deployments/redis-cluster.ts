import { setTimeout as sleep } from 'node:timers/promises';
import { findFreePort } from '@atrium/local-stack/ports';
import { DEFAULT_QUEUE_PREFIX } from '@atrium/contracts/queues';
import { until } from '@atrium/testkit/until';
import type { Scenario } from './scenario.ts';
import { askRedis, type RunningRedis, startRedisServer } from './redis-servers.ts';

const NODES = 6;
const NODE_TIMEOUT_MS = 2_000;
const OUTAGE_MS = 10_000;

/** Three masters with a replica each; the master that has all keys of Atrium is killed. */
export const redisCluster: Scenario = {
  name: 'redis-cluster',
  title: 'Redis Cluster: kill -9 the master, failover',
  needs: ['redis-server', 'redis-cli'],
  async prepare(stack, folder) {
    const nodes = await Promise.all(
      Array.from({ length: NODES }, async () =>
        startRedisServer(stack, folder, {
          'cluster-enabled': 'yes',
          'cluster-port': String(await findFreePort()),
          'cluster-node-timeout': String(NODE_TIMEOUT_MS),
        }),
      ),
    );
    const ports = nodes.map(({ port }) => port);
    const addresses = ports.map((port) => `127.0.0.1:${port}`);
    const create = [
      '--cluster',
      'create',
      ...addresses,
      '--cluster-replicas',
      '1',
      '--cluster-yes',
    ];
    await askRedis({ port: ports[0] ?? 0 }, ...create);
    await until(async () => (await Promise.all(ports.map(isReady))).every(Boolean));
    return {
      env: { REDIS_URL: `redis+cluster://${addresses.slice(0, 3).join(',')}` },
      fault: {
        durationMs: OUTAGE_MS,
        async inject(_environment, _receiver, signal) {
          const master = await masterOf(nodes);
          await master.kill();
          await sleep(OUTAGE_MS, undefined, { signal });
          await master.restart();
        },
      },
    };
  },
};

async function isReady(port: number): Promise<boolean> {
  return (await askRedis({ port }, 'cluster', 'info')).includes('cluster_state:ok');
}

/** The node that holds the slot of the keys. */
async function masterOf(nodes: readonly RunningRedis[]): Promise<RunningRedis> {
  const [first] = nodes;
  if (first === undefined) throw new Error('The cluster has no nodes.');
  const slot = Number(await askRedis(first, 'cluster', 'keyslot', DEFAULT_QUEUE_PREFIX));
  const shards = (await askRedis(first, '--json', 'cluster', 'slots')) as string;
  const ranges = JSON.parse(shards) as [number, number, [string, number]][];
  const range = ranges.find(([from, to]) => from <= slot && slot <= to);
  const master = nodes.find(({ port }) => port === range?.[2][1]);
  if (master === undefined) throw new Error(`No node has slot ${slot}.`);
  return master;
}
