import { once } from 'node:events';
import { Agent, get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { createLogger } from '@atrium/service-kit/logger';
import { createServer } from '@atrium/service-kit/server';
import { createLinkCache } from '../redirect/link-cache.ts';
import { redirectRoutes } from '../redirect/routes.ts';
import type { Click } from './click.ts';

// Follows links as often as the argument says, with the longest headers, and prints how many bytes of heap
// each click holds that a recorder has, and each link in the cache.
const COUNT = Number(process.argv[2]);
setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

const held: Click[] = [];
const recorder = { record: (click: Click) => void held.push(click) };
const cache = createLinkCache({
  load: async (slug) => ({
    slug: Buffer.from(slug).toString(),
    linkId: 'lnk_1',
    ownerId: 'usr_1',
    ownerPlan: 'free',
    url: 'https://example.com/',
  }),
  onRefreshFailed: () => undefined,
  clockMs: Date.now,
});
const server = await createServer({
  service: 'links',
  logger: createLogger({ service: 'links', level: 'silent' }),
  trustProxy: false,
  corsOrigins: [],
  ready: {},
});
await server.register(redirectRoutes, { cache, recorder, clockMs: Date.now });
await server.listen({ port: 0, host: '127.0.0.1' });
const { port } = server.server.address() as AddressInfo;
const agent = new Agent({ keepAlive: true });

async function follow(from: number, count: number): Promise<void> {
  for (let n = from; n < from + count; n += 1) {
    const path = `/a-slug-that-is-long-${n}?${'q'.repeat(5_000)}`;
    const headers = { referer: `https://${'r'.repeat(5_000)}`, 'user-agent': 'u'.repeat(3_000) };
    const request = get({ port, host: '127.0.0.1', path, headers, agent });
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    response.resume();
    await once(response, 'end');
  }
}

function usedBytes(): number {
  collectGarbage();
  collectGarbage();
  return process.memoryUsage().heapUsed;
}

await follow(0, 200);
const before = usedBytes();
await follow(200, COUNT);
const bytesPerClick = (usedBytes() - before) / COUNT;
process.stdout.write(JSON.stringify({ clicks: held.length, bytesPerClick }));
agent.destroy();
await server.close();
