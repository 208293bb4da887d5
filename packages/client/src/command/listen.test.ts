import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { afterEach, expect, test } from 'vitest';
import { createApiCalls } from './api.ts';
import type { Credentials } from './credentials.ts';
import { listen } from './listen.ts';

const stop = new AbortController();
afterEach(() => stop.abort());

/** What the service answers to each creation of a listener, in order; 0 cuts the connection. */
const CREATIONS = [201, 0, 502, 201];

test('a listener that was removed is created again, once, when the network fails meanwhile', async () => {
  const keys: unknown[] = [];
  const leased: string[] = [];
  const changes: unknown[] = [];
  const server = createServer((request, response) => {
    const { url = '' } = request;
    const answer = (status: number, body: object | string) =>
      response.writeHead(status).end(typeof body === 'string' ? body : JSON.stringify(body));
    if (url === '/api/listeners') {
      keys.push(request.headers['idempotency-key']);
      const status = CREATIONS[keys.length - 1];
      if (status === 0) request.socket.destroy();
      else if (status === 201) answer(201, { id: `whk_${keys.length}`, secret: 'whsec_x' });
      else answer(502, '<html>Bad gateway</html>');
    } else if (url.endsWith('/lease')) {
      leased.push(url);
      if (url.includes('whk_1')) answer(404, { error: 'Not Found', message: 'Webhook not found' });
      else answer(200, { deliveries: [], nextDueAt: null });
    } else if (request.method === 'PATCH') {
      void json(request).then((change) => {
        changes.push(change);
        answer(404, { error: 'Not Found', message: 'Webhook not found' });
      });
    } else {
      answer(200, '');
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;

  let stored: Credentials = {
    authUrl: '',
    webhooksUrl: `http://127.0.0.1:${port}`,
    notesUrl: '',
    email: 'ada@example.com',
    accessToken: 'token',
    refreshToken: '',
    listeners: {},
  };
  const session = {
    credentials: () => Promise.resolve(stored),
    accessToken: () => Promise.resolve('token'),
  };
  const listening = listen({
    call: createApiCalls(session),
    session,
    file: {
      read: () => Promise.resolve(stored),
      checkWritable: () => Promise.resolve(),
      update: async (change) => (stored = await change(stored)),
      remove: () => Promise.resolve(),
    },
    output: { line: () => undefined },
    forwardTo: 'http://localhost:3000/hook',
    events: ['note.shared'],
    signal: stop.signal,
  });
  const listened = listening.then(() => 'ended', String);
  await expect.poll(() => leased.at(-1)).toContain('whk_4');
  stop.abort();
  expect(await listened).toBe('ended');
  const [first, ...again] = keys;
  expect(new Set(again).size).toBe(1);
  expect(again).not.toContain(first);
  expect(changes).toContainEqual({ events: ['note.shared'], enabled: true });
  server.closeAllConnections();
  server.close();
});
