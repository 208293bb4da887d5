import type { ServerResponse } from 'node:http';
import { createLogger } from '@atrium/service-kit/logger';
import { listen } from '@atrium/testkit/http-listener';
import { expect, test } from 'vitest';
import { portalOriginsAt } from './portal-origins.ts';

const logger = createLogger({ service: 'web', level: 'silent' });
const READER = { id: 'req_1', ip: '198.51.100.7' };
const OPENED = {
  accessToken: 'ptl_a',
  expiresAt: '2026-02-01T10:30:00.000Z',
  portal: {
    namespace: 'shop',
    name: 'Shop',
    colour: null,
    logo: null,
    origins: ['https://shop.example'],
  },
};

/** The origins when the webhooks service treats the first request so, and answers the second. */
async function originsAfter(first: (response: ServerResponse) => void) {
  let requests = 0;
  await using webhooks = await listen((_request, response) => {
    requests += 1;
    if (requests === 1) return first(response);
    response.end(JSON.stringify(OPENED));
  });
  return await portalOriginsAt(webhooks.url, logger)('ptl_1', READER);
}

test('finds the origins although the first connection is lost', async () => {
  const origins = await originsAfter((response) => void response.destroy());
  expect(origins).toEqual(['https://shop.example']);
});

test('finds the origins although webhooks is unavailable for a moment', async () => {
  const origins = await originsAfter((response) => void response.writeHead(503).end('{}'));
  expect(origins).toEqual(['https://shop.example']);
});

test.each([404, 422])('finds that all may show that a link has ended, by a %i', async (status) => {
  const origins = await originsAfter((response) => void response.writeHead(status).end('{}'));
  expect(origins).toEqual(['*']);
});

test('finds none when webhooks fails', async () => {
  expect(await originsAfter((response) => void response.writeHead(500).end('{}'))).toEqual([]);
});
