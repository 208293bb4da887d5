import type { RequestListener, ServerResponse } from 'node:http';
import { listen } from '@atrium/testkit/http-listener';
import { expect, test } from 'vitest';
import { createAtrium } from './index.ts';
import { type DeliveryChange, followDeliveries } from './deliveries.ts';

const READY = 'event: ready\ndata: {}\nid: 1-0\n\n';

function delivery(id: string): string {
  return `event: delivery\ndata: {"id":"${id}","state":"failed"}\n\n`;
}

function refuse(response: ServerResponse, status: number): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end('{"error":"Refused","message":"Not now"}');
}

/** Follows a service until this many changes have come. */
async function follow(count: number, handle: RequestListener) {
  await using service = await listen(handle);
  const { url } = service;
  const urls = { authUrl: url, notesUrl: url, linksUrl: url, webhooksUrl: url };
  const atrium = createAtrium({ ...urls, accessToken: () => 'token' });
  const stop = new AbortController();
  const changes: DeliveryChange[] = [];
  for await (const change of followDeliveries(atrium, { state: 'failed' }, stop)) {
    changes.push(change);
    if (changes.length === count) stop.abort();
  }
  return changes;
}

test('resumes an ended stream after the last event and says nothing of it', async () => {
  const requests: unknown[] = [];
  const changes = await follow(4, ({ url, headers }, response) => {
    requests.push([url, headers.authorization, headers['last-event-id']]);
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    if (requests.length === 1)
      response.end(`retry: 1000\n\n${READY}${delivery('dlv_1')}id: 2-0\n\n`);
    else response.write(`: heartbeat\n\nevent: reset\ndata: {}\n\n${delivery('dlv_2')}`);
  });
  expect(changes).toEqual([
    { kind: 'ready' },
    { kind: 'delivery', delivery: { id: 'dlv_1', state: 'failed' } },
    { kind: 'reset' },
    { kind: 'delivery', delivery: { id: 'dlv_2', state: 'failed' } },
  ]);
  const path = '/api/deliveries/stream?state=failed';
  expect(requests).toEqual([
    [path, 'Bearer token', undefined],
    [path, 'Bearer token', '2-0'],
  ]);
});

test('reports a service that cannot be reached and goes on when it can', async () => {
  let requests = 0;
  const changes = await follow(2, (_, response) => {
    requests += 1;
    if (requests === 1) refuse(response, 500);
    else response.writeHead(200, { 'content-type': 'text/event-stream' }).write(READY);
  });
  expect(changes).toEqual([{ kind: 'disconnected' }, { kind: 'ready' }]);
});

test('throws when the service refuses', async () => {
  const refused = follow(1, (_, response) => refuse(response, 403));
  await expect(refused).rejects.toMatchObject({ status: 403 });
});
