import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rawRequest } from '../../test/raw-request.ts';
import { startTestServer, type TestServer } from '../../test/test-server.ts';

let app: TestServer;

beforeAll(async () => {
  app = await startTestServer((server) => {
    server.get('/things/1', () => ({ ok: true }));
    server.post('/echo', ({ body }) => ({ body }));
  });
});

afterAll(async () => {
  await app[Symbol.asyncDispose]();
});

const POST =
  'POST /echo HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/json\r\n';

describe('a body in UTF-8', () => {
  it.each(['{"name":"Zo\u00eb 😀"}', '\ufeff{"name":"Zo\u00eb 😀"}'])(
    'arrives as sent: %j',
    async (body) => {
      const answer = await rawRequest(
        app.port,
        `${POST}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
      );
      expect(JSON.parse(answer.body)).toEqual({ body: { name: 'Zoë 😀' } });
    },
  );
});

describe('a chunked body', () => {
  it.each(['chunked', 'Chunked'])('is read when the transfer coding is %s', async (coding) => {
    const headers = `TE: gzip\r\nTransfer-Encoding: ${coding}\r\n`;
    const answer = await rawRequest(app.port, `${POST}${headers}\r\n2\r\n{}\r\n0\r\n\r\n`);
    expect([answer.status, JSON.parse(answer.body)]).toEqual([200, { body: {} }]);
  });
});

describe('a protocol upgrade', () => {
  it('is ignored, and the connection closes after the response', async () => {
    const upgrade = 'Connection: upgrade\r\nUpgrade: websocket\r\n';
    const answer = await rawRequest(
      app.port,
      `GET /things/1 HTTP/1.1\r\nHost: localhost\r\n${upgrade}\r\n`,
    );
    expect([answer.status, answer.headers['connection']]).toEqual([200, 'close']);
    expect(JSON.parse(answer.body)).toEqual({ ok: true });
  });
});
