import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { createLogger } from '@atrium/service-kit/logger';
import { expect, test } from 'vitest';
import { fileTransport, smtpTransport } from './transport.ts';

const email = {
  id: 'a4f1f5b8-8d5f-4a3b-9a2f-0d6f2f0f8e11',
  kind: 'test',
  content: { to: 'ada@example.com', subject: 'Hi', text: 'hi', html: '<p>hi</p>', link: null },
};
const from = 'Atrium <no-reply@atrium.localhost>';

test('gives up at the deadline on a server that keeps talking', async () => {
  const ended = Promise.withResolvers<void>();
  const server = createServer((socket) => {
    // Each line is activity, so no idle timeout ends this.
    const drip = setInterval(() => socket.write('220-wait\r\n'), 10);
    socket.on('error', () => undefined);
    socket.on('close', () => {
      clearInterval(drip);
      ended.resolve();
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  try {
    using transport = smtpTransport({
      url: `smtp://127.0.0.1:${port}`,
      from,
      sendTimeoutMs: 300,
    });
    await expect(transport.send(email)).rejects.toThrow(/abort/i);
    await ended.promise;
  } finally {
    server.close();
  }
});

test.each([
  ['warns', undefined, 'warn', '.data/mail'],
  ['only notes it', '/chosen', 'info', '/chosen'],
])('%s at the start when emails go to the directory %s', (_title, given, level, directory) => {
  const lines: string[] = [];
  const destination = { write: (line: string) => void lines.push(line) };
  const logger = createLogger({ service: 'auth', level: 'info', destination });
  using _transport = fileTransport({ directory: given, from, logger });
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { level, directory, msg: expect.stringContaining('SMTP_URL is not set') },
  ]);
});
