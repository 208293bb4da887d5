import { randomUUID } from 'node:crypto';
import { testServers } from './servers.ts';

export interface TestRedis {
  url: string;
  /** A prefix of this call alone, with the braces that BullMQ needs on a cluster. */
  queuePrefix: string;
}

/** The shared Redis of the run, and a key prefix of its own. */
export function testRedis(): TestRedis {
  const { redisUrl, runId } = testServers();
  return { url: redisUrl, queuePrefix: `{t-${runId}-${randomUUID().slice(0, 8)}}` };
}
