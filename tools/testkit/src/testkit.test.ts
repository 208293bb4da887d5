import { createPublicKey, verify } from 'node:crypto';
import { Client } from 'pg';
import { expect, test } from 'vitest';
import { createEmptyDatabase } from './database.ts';
import { startMailbox } from './mailbox.ts';
import { startReceiver } from './receiver.ts';
import { testServers } from './servers.ts';
import { startTokenIssuer } from './tokens.ts';
import { testRedis } from './redis.ts';
import { connect } from 'node:net';
import { once } from 'node:events';

test('databases are made side by side, are UTF-8, and are gone after disposal', async () => {
  const databases = await Promise.all(Array.from({ length: 4 }, () => createEmptyDatabase()));
  const names = databases.map(({ url }) => new URL(url).pathname.slice(1));
  expect(new Set(names).size).toBe(4);
  const [first] = databases;
  const client = new Client({ connectionString: first?.url });
  await client.connect();
  expect((await client.query('SHOW server_encoding')).rows).toEqual([{ server_encoding: 'UTF8' }]);
  await client.end();
  await Promise.all(databases.map((database) => database[Symbol.asyncDispose]()));
  const server = new Client({ connectionString: testServers().postgresUrl });
  await server.connect();
  const left = await server.query('SELECT datname FROM pg_database WHERE datname = ANY($1)', [
    names,
  ]);
  expect(left.rows).toEqual([]);
  await server.end();
});

test('a queue prefix is used once and is a hash tag', () => {
  expect(testRedis().queuePrefix).toMatch(/^\{t-[0-9a-f]+-[0-9a-f]+\}$/);
  expect(testRedis().queuePrefix).not.toBe(testRedis().queuePrefix);
});

test('a receiver keeps the raw bytes and answers as told', async () => {
  await using receiver = await startReceiver({ respond: (n) => ({ status: 200 + n, body: 'ok' }) });
  const first = await fetch(`${receiver.url}/a?b=1`, { method: 'POST', body: '{"ä" : 1}' });
  const second = await fetch(receiver.url);
  expect([first.status, second.status]).toEqual([201, 202]);
  const [request] = await receiver.waitFor(2);
  expect(request).toMatchObject({ method: 'POST', path: '/a?b=1' });
  expect(request?.rawBody.toString()).toBe('{"ä" : 1}');
  await Promise.all([first.text(), second.text()]);
});

test('a token verifies against the key set', async () => {
  await using issuer = await startTokenIssuer();
  const response = await fetch(issuer.jwksUrl);
  const { keys } = (await response.json()) as { keys: [{ x: string; kid: string }] };
  const [header, payload, signature] = issuer.issueToken({ plan: 'pro' }).split('.');
  const key = createPublicKey({
    format: 'jwk',
    key: { kty: 'OKP', crv: 'Ed25519', x: keys[0].x },
  });
  const signed = Buffer.from(`${header}.${payload}`);
  expect(verify(null, signed, key, Buffer.from(signature ?? '', 'base64url'))).toBe(true);
  const decode = (part = '') => JSON.parse(Buffer.from(part, 'base64url').toString()) as object;
  expect(decode(header)).toMatchObject({ alg: 'EdDSA', kid: keys[0].kid });
  expect(decode(payload)).toMatchObject({ iss: 'atrium', aud: 'atrium', plan: 'pro', ev: true });
});

test('a mailbox takes a mail over SMTP', async () => {
  await using mailbox = await startMailbox();
  const { port } = new URL(mailbox.smtpUrl);
  const socket = connect(Number(port), '127.0.0.1');
  const lines = ['HELO test', 'MAIL FROM:<a@example.com>', 'RCPT TO:<b@example.com>', 'DATA'];
  for (const line of lines) {
    await once(socket, 'data');
    socket.write(`${line}\r\n`);
  }
  await once(socket, 'data');
  socket.write('To: b@example.com\r\nSubject: =?utf-8?q?Gr=C3=BC=C3=9Fe?=\r\n\r\nHallo\r\n.\r\n');
  const mail = await mailbox.waitFor(1);
  socket.destroy();
  expect(mail).toMatchObject({ to: ['b@example.com'], subject: 'Grüße', text: 'Hallo\n' });
});
