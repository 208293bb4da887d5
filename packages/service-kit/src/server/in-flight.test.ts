import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { startTestServer, type TestServer } from '../../test/test-server.ts';
import { createMetrics } from '../metrics.ts';
import type { InFlightLimits } from './in-flight-limits.ts';

const KIB = 1024;
/** A budget of 400 KiB, of which one account may have 200, and small requests the last 100. */
const LIMITS = {
  processBytes: 400 * KIB,
  smallOnlyBytes: 100 * KIB,
  smallBytes: 10 * KIB,
  holderBytes: 200 * KIB,
  requestBytes: KIB,
  bytesPerBodyByte: 1,
  stallTimeoutMs: 2_000,
};

/** Whose account `x-account` names; handlers wait until they are released, and answer so many bytes. */
async function start(limits: Partial<InFlightLimits> = {}) {
  const metrics = createMetrics();
  const released = Promise.withResolvers<void>();
  const changes: string[] = [];
  const endless = new Readable({ read: () => endless.push(Buffer.alloc(64 * KIB)) });
  const app = await startTestServer(
    (server) => {
      server.addHook('onRequest', (request, _reply, done) => {
        const id = String(request.headers['x-account']);
        request.account = {
          id,
          sessionId: 's',
          plan: 'free',
          emailVerified: !id.startsWith('new-'),
          isOperator: false,
          scopes: null,
          applicationId: null,
          expiresAtMs: 0,
        };
        done();
      });
      server.post('/hold', { bodyLimit: KIB ** 2 }, async () => {
        await released.promise;
        return {};
      });
      server.post('/take', { bodyLimit: KIB ** 2 }, async () => ({}));
      server.post<{ Querystring: { bytes: number } }>('/change', async (request) => {
        changes.push(String(request.headers['x-account']));
        return 'x'.repeat(Number(request.query.bytes));
      });
      server.get('/stream', (_request, reply) => reply.send(endless));
      server.get<{ Querystring: { bytes: number } }>('/give', async (request) =>
        'x'.repeat(Number(request.query.bytes)),
      );
    },
    { metrics, inFlight: { ...LIMITS, ...limits } },
  );
  return {
    ...app,
    changes,
    endless,
    release: () => released.resolve(),
    value: async (name: string) => {
      const metric = await metrics.getSingleMetric(name)?.get();
      return metric?.values.reduce((sum, { value }) => sum + value, 0);
    },
  };
}

function open({ port }: Pick<TestServer, 'port'>): Socket {
  const socket = connect({ port, host: '127.0.0.1' }).on('error', () => undefined);
  onTestFinished(() => void socket.destroy());
  return socket.resume();
}

const head = (target: string, account: string, headers = '') =>
  `${target} HTTP/1.1\r\nhost: a\r\nx-account: ${account}\r\n${headers}\r\n`;

/** Announces a body of this size, of which nothing is sent yet. */
function announce(app: TestServer, account: string, sizeKib: number, path = '/hold'): Socket {
  const socket = open(app);
  const headers = `content-type: application/json\r\ncontent-length: ${sizeKib * KIB}\r\n`;
  socket.write(head(`POST ${path}`, account, headers));
  return socket;
}

const bodyOf = (sizeKib: number) => JSON.stringify('x'.repeat(sizeKib * KIB - 2));

/** The first line and the headers of what is answered. */
async function answerOf(socket: Socket): Promise<string> {
  const [chunk] = (await once(socket, 'data')) as [Buffer];
  return chunk.toString();
}

async function statusOf(app: TestServer, account: string, path: string, sizeKib?: number) {
  const response = await fetch(`${app.origin}${path}`, {
    headers: { 'x-account': account, 'content-type': 'application/json' },
    ...(sizeKib !== undefined && { method: 'POST', body: bodyOf(sizeKib) }),
  });
  await response.arrayBuffer();
  return response.status;
}

test('returns 429 for the bodies of an account beyond its share, and serves others', async () => {
  await using app = await start();
  announce(app, 'ada', 150);
  const answer = await answerOf(announce(app, 'ada', 100));
  expect(answer).toMatch(/^HTTP\/1.1 429 /);
  expect(answer).toMatch(/retry-after: 1\r\n/i);
  expect(await statusOf(app, 'bob', '/take', 100)).toBe(200);
  expect(await app.value('http_in_flight_refused_total')).toBe(1);
});

test('returns 503 for large bodies when the process has too many, and takes small ones', async () => {
  await using app = await start();
  announce(app, 'ada', 150);
  announce(app, 'bob', 140);
  const answer = await answerOf(announce(app, 'cleo', 50));
  expect(answer).toMatch(/^HTTP\/1.1 503 /);
  expect(answer).toMatch(/retry-after: 1\r\n/i);
  expect(await statusOf(app, 'cleo', '/take', 5)).toBe(200);
});

test('leaves the rest to those who have little when many small bodies fill the process', async () => {
  await using app = await start();
  announce(app, 'ada', 150);
  announce(app, 'bob', 147);
  await expect.poll(() => app.value('http_in_flight_bytes')).toBe(299 * KIB);
  expect(await statusOf(app, 'bob', '/take', 5)).toBe(503);
  expect(await statusOf(app, 'cleo', '/take', 5)).toBe(200);
});

test('counts accounts without a verified email address together, by their network', async () => {
  await using app = await start();
  announce(app, 'new-1', 150);
  await expect.poll(() => app.value('http_in_flight_bytes')).toBe(151 * KIB);
  expect(await statusOf(app, 'new-2', '/take', 100)).toBe(429);
  expect(await statusOf(app, 'ada', '/take', 100)).toBe(200);
});

test('counts a body without a length as it arrives', async () => {
  await using app = await start();
  const socket = open(app);
  const headers = 'content-type: application/json\r\ntransfer-encoding: chunked\r\n';
  socket.write(head('POST /hold', 'ada', headers));
  const chunk = `${(16 * KIB).toString(16)}\r\n${'x'.repeat(16 * KIB)}\r\n`;
  for (let sent = 0; sent <= 200; sent += 16) socket.write(chunk);
  expect(await answerOf(socket)).toMatch(/^HTTP\/1.1 429 /);
});

test('holds what a handler works on after its client has gone, and then no more', async () => {
  await using app = await start();
  const socket = announce(app, 'ada', 150);
  socket.write(bodyOf(150));
  // Its answer shows that the server has read what was sent before.
  expect(await statusOf(app, 'ada', '/take', 10)).toBe(200);
  socket.destroy();
  await once(socket, 'close');
  expect(await statusOf(app, 'ada', '/take', 100)).toBe(429);
  app.release();
  await expect.poll(() => app.value('http_in_flight_bytes')).toBe(0);
});

test('releases a body that never arrives when its connection ends', async () => {
  await using app = await start();
  const socket = announce(app, 'ada', 150);
  await expect.poll(() => app.value('http_in_flight_bytes')).toBe(151 * KIB);
  socket.destroy();
  await expect.poll(() => app.value('http_in_flight_bytes')).toBe(0);
});

test('counts answers that are not read, and ends them', async () => {
  // More than the buffers of the operating system take.
  const bytes = 16 * KIB ** 2;
  await using app = await start({
    processBytes: 100 * KIB ** 2,
    smallOnlyBytes: 0,
    holderBytes: 20 * KIB ** 2,
  });
  const unread = open(app).pause();
  unread.write(head(`GET /give?bytes=${bytes}`, 'ada'));
  await expect.poll(() => app.value('http_in_flight_bytes')).toBeGreaterThan(bytes);
  expect(await statusOf(app, 'ada', `/give?bytes=${bytes}`)).toBe(429);
  expect(await statusOf(app, 'bob', `/give?bytes=${bytes}`)).toBe(200);
  await expect.poll(() => app.value('http_stalled_connections_total')).toBe(1);
  await expect.poll(() => app.value('http_in_flight_bytes')).toBe(0);
});

test('ends a body that stops arriving', async () => {
  await using app = await start();
  const socket = announce(app, 'ada', 150);
  socket.write('"the beginning');
  await once(socket, 'close');
  await expect.poll(() => app.value('http_in_flight_bytes')).toBe(0);
});

test('waits for a handler that takes longer than its client may', async () => {
  await using app = await start({ stallTimeoutMs: 500 });
  const socket = announce(app, 'ada', 1);
  socket.write(bodyOf(1));
  const answer = answerOf(socket);
  // By then the other connection has been ended.
  await once(announce(app, 'bob', 1), 'close');
  app.release();
  expect(await answer).toMatch(/^HTTP\/1.1 200 /);
});

test('ends a stream that is not read, and what it reads from', async () => {
  await using app = await start();
  const socket = open(app).pause();
  socket.write(head('GET /stream', 'ada'));
  await once(app.endless, 'close');
  await expect.poll(() => app.value('http_in_flight_bytes')).toBe(0);
});

test('sends a large answer whole, with its length', async () => {
  await using app = await start();
  const response = await fetch(`${app.origin}/give?bytes=${100 * KIB}`);
  expect(response.headers.get('content-length')).toBe(String(100 * KIB));
  expect(await response.text()).toBe('x'.repeat(100 * KIB));
  const headOnly = await fetch(`${app.origin}/give?bytes=${100 * KIB}`, { method: 'HEAD' });
  expect(headOnly.headers.get('content-length')).toBe(String(100 * KIB));
});

test('does not say of a change that was made that it was refused', async () => {
  await using app = await start();
  const response = statusOf(app, 'ada', `/change?bytes=${250 * KIB}`, 1);
  await expect(response).rejects.toThrow('fetch failed');
  expect(app.changes).toEqual(['ada']);
});

test('answers probes when nothing else is', async () => {
  await using app = await start({ processBytes: KIB, smallOnlyBytes: 0 });
  expect(await statusOf(app, 'ada', '/give?bytes=10')).toBe(503);
  expect(await statusOf(app, 'ada', '/readyz')).toBe(200);
});

test('ends a connection that sends ever more requests without waiting for the answers', async () => {
  await using app = await start({ requestsPerConnection: 8 });
  const socket = announce(app, 'ada', 1);
  socket.write(bodyOf(1));
  for (let sent = 0; sent < 8; sent += 1) socket.write(head('GET /livez', 'ada'));
  expect(String(await buffer(socket))).toBe('');
});
