import { expect, test } from 'vitest';
import { startTestServer } from '../../test/test-server.ts';

const KIB = 1024;
/** A request takes 10 KiB of 400; a site may have 200, and the last 100 only when it has at most 50. */
const LIMITS = {
  processBytes: 400 * KIB,
  smallOnlyBytes: 100 * KIB,
  smallBytes: 20 * KIB,
  smallSiteBytes: 50 * KIB,
  holderBytes: 200 * KIB,
  requestBytes: 10 * KIB,
};

/** Handlers of `/hold` wait until the end. */
async function start() {
  const released = Promise.withResolvers<void>();
  let held = 0;
  const app = await startTestServer(
    (server) => {
      server.get('/hold', async () => {
        held += 1;
        await released.promise;
        return {};
      });
      server.get('/', async () => ({}));
    },
    { trustProxy: true, inFlight: LIMITS },
  );
  const statusOf = async (ip: string, path = '/') => {
    const response = await fetch(`${app.origin}${path}`, { headers: { 'x-forwarded-for': ip } });
    await response.arrayBuffer();
    return response.status;
  };
  /** One request of each of so many networks of this site. */
  async function hold(site: string, networks: number) {
    const before = held;
    for (let network = 0; network < networks; network += 1) {
      void statusOf(`${site}:${network}::1`, '/hold');
    }
    await expect.poll(() => held).toBe(before + networks);
  }
  return {
    statusOf,
    hold,
    [Symbol.asyncDispose]: () => {
      released.resolve();
      return app[Symbol.asyncDispose]();
    },
  };
}

test('an IPv6 site has no more than one address, however many networks it has', async () => {
  await using app = await start();
  await app.hold('2001:db8:1', 20);
  expect(await app.statusOf('2001:db8:1:ffff::1')).toBe(429);
  expect(await app.statusOf('2001:db8:2:ffff::1')).toBe(200);
});

test('an IPv6 site with much takes nothing of what is left to those who have little', async () => {
  await using app = await start();
  await app.hold('2001:db8:1', 15);
  await app.hold('2001:db8:2', 15);
  expect(await app.statusOf('2001:db8:1:ffff::1')).toBe(503);
  expect(await app.statusOf('2001:db8:3:ffff::1')).toBe(200);
  expect(await app.statusOf('192.0.2.1')).toBe(200);
});
