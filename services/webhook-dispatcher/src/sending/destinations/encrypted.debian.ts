import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream';
import { createServer, getCACertificates, setDefaultCACertificates } from 'node:tls';
import type { DestinationBody } from '@atrium/contracts/webhooks/destinations';
import { type Certificate, createCertificate } from '@atrium/testkit/certificates';
import { testRedis } from '@atrium/testkit/redis';
import { connect as connectToRabbitMq } from 'amqplib';
import { expect, onTestFinished, test } from 'vitest';
import { openTestDestinations } from './destinations.fixture.ts';
import { startRabbitMq } from './rabbitmq.fixture.ts';

async function newCertificate(): Promise<Certificate> {
  const folder = await mkdtemp(join(tmpdir(), 'certificates-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return createCertificate(folder, 'broker');
}

/** Decrypts for the server at a port, and knows the names that clients asked for. */
async function startTls({ cert, key }: Certificate, port: number) {
  const names = new Set<string | false | null>();
  const pair = { cert: await readFile(cert), key: await readFile(key) };
  const server = createServer(pair, (socket) => {
    names.add(socket.servername);
    const broker = connect(port, '127.0.0.1');
    // A side that ends early is what a client does that does not trust the other.
    pipeline(socket, broker, socket, () => undefined);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return { names, port: (server.address() as AddressInfo).port };
}

/** Expects one attempt to fail, and one to arrive once this process trusts the authority. */
async function expectVerified(urls: string[], destination: DestinationBody, ca: string) {
  const trusted = getCACertificates();
  onTestFinished(() => setDefaultCACertificates(trusted));
  for (const url of urls) {
    await using destinations = openTestDestinations({ allowHttp: false });
    const refused = await destinations.attempt(url, destination);
    expect(refused).toMatchObject({
      outcome: 'retry',
      error: expect.stringMatching(/certificate/),
    });
    setDefaultCACertificates([...trusted, await readFile(ca, 'utf8')]);
    const made = await destinations.attempt(url, destination);
    expect(made).toEqual({ outcome: 'delivered', status: 200, error: null });
    setDefaultCACertificates(trusted);
  }
}

const urlsAt = (scheme: string, port: number) =>
  ['localhost', '127.0.0.1'].map((host) => `${scheme}://${host}:${port}/`);

test('RabbitMQ must prove by its certificate that it is the host of the URL', async () => {
  await using rabbit = await startRabbitMq();
  const model = await connectToRabbitMq(rabbit.url);
  await (await model.createChannel()).assertQueue('encrypted');
  await model.close();
  const certificate = await newCertificate();
  const { names, port } = await startTls(certificate, Number(new URL(rabbit.url).port));
  const credentials = { username: 'guest', password: 'guest' };
  const destination = { kind: 'amqp' as const, exchange: '', routingKey: 'encrypted', credentials };
  await expectVerified(urlsAt('amqps', port), destination, certificate.ca);
  expect(names).toEqual(new Set(['localhost', false]));
});

test('Redis must prove by its certificate that it is the host of the URL', async () => {
  const { url, queuePrefix } = testRedis();
  const certificate = await newCertificate();
  const { names, port } = await startTls(certificate, Number(new URL(url).port));
  const destination = { kind: 'redis' as const, stream: `${queuePrefix}:encrypted` };
  await expectVerified(urlsAt('rediss', port), destination, certificate.ca);
  expect(names).toEqual(new Set(['localhost', false]));
});
