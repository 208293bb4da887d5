import type { Socket } from 'node:net';
import { startReceiver } from '@atrium/testkit/receiver';
import { until } from '@atrium/testkit/until';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createAddressGuard } from '@atrium/service-kit/address-guard';
import { AddressLimit } from './address-limit.ts';
import { LookupTimeoutError, type ResolveHost } from '@atrium/service-kit/resolver';
import { startRaw } from './raw-receiver.fixture.ts';
import { openTestSender } from './sender.fixture.ts';

const body = Buffer.from('{}');
const request = (url: string) => ({
  accountId: 'usr_1',
  url,
  headers: ['content-type', 'application/json'],
  body,
});
const address = (text: string) => [{ address: text, family: 4 }];

describe('send', () => {
  it('fails when resolving, connecting, headers and body exceed one deadline', async () => {
    const silent: ResolveHost = () => new Promise(() => undefined);
    await using mute = await startRaw(() => undefined);
    await using dripping = await startRaw((socket) => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n');
      const drip = setInterval(() => socket.write('x'), 10);
      socket.on('close', () => clearInterval(drip));
    });
    await using sender = openTestSender({ timeoutMs: 150, resolve: silent });
    for (const url of ['http://name.example/', mute.url, dripping.url]) {
      const { answer } = await sender.send(request(url));
      expect(answer).toEqual({
        kind: 'failure',
        error: 'No complete answer within 150 ms',
      });
    }
    // Their connections are closed too.
    await until(() => mute.sockets.size + dripping.sockets.size === 0);
  });

  it('reads 16 KiB of a response and closes the connection on the rest', async () => {
    await using endless = await startRaw((socket) => {
      socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n');
      const chunk = `1000\r\n${'y'.repeat(4096)}\r\n`;
      const pour = () => {
        while (!socket.destroyed && socket.write(chunk));
      };
      socket.on('drain', pour);
      pour();
    });
    await using sender = openTestSender();
    const { answer } = await sender.send(request(endless.url));
    expect(answer).toMatchObject({ kind: 'response', status: 200, excerpt: 'y'.repeat(200) });
    await until(() => endless.sockets.size === 0);
  });

  it('keeps the beginning of a refusal, as Postgres can store it also with NULs and split characters', async () => {
    const text = `${'é\0'.repeat(511)}x😀 and more`;
    const headers = { 'x-reason': 'too many', 'x-long': 'y'.repeat(4_000) };
    const refusal = { status: 500, headers, body: text };
    await using receiver = await startReceiver({ respond: () => refusal });
    await using sender = openTestSender();
    const { answer } = await sender.send(request(receiver.url));
    const { headers: kept, excerpt } = answer.kind === 'response' ? answer : {};
    expect(kept).toMatch(/^x-reason: too many\nx-long: y{900,}$/);
    expect(excerpt).toBe(`${'é\uFFFD'.repeat(511)}x\uFFFD`);
  });

  it('does not follow a redirect', async () => {
    await using inside = await startReceiver();
    await using outside = await startReceiver({
      respond: () => ({ status: 308, headers: { location: `${inside.url}/metadata` } }),
    });
    await using sender = openTestSender();
    const { answer } = await sender.send(request(outside.url));
    expect(answer).toMatchObject({ kind: 'response', status: 308 });
    expect(inside.requests).toEqual([]);
  });

  it('does not connect to an address that the guard refuses', async () => {
    await using receiver = await startReceiver();
    const port = new URL(receiver.url).port;
    const answers = [address('127.0.0.1'), address('127.0.0.1')];
    const options = {
      guard: createAddressGuard([]),
      resolve: async () => answers.shift() ?? [],
    };
    await using sender = openTestSender(options);
    for (const host of ['127.0.0.1', '0x7f.1', '2130706433', '[::ffff:127.0.0.1]', 'a.example']) {
      const { answer } = await sender.send(request(`http://${host}:${port}/`));
      expect(answer).toMatchObject({ error: 'The host has a private or reserved address' });
    }
    const { answer } = await sender.send(request('ftp://127.0.0.1/'));
    expect(answer).toMatchObject({ error: 'The URL does not use https' });
    expect(receiver.requests).toEqual([]);
  });

  it('checks a name again for each new connection', async () => {
    await using receiver = await startReceiver({
      respond: () => ({ status: 200, headers: { connection: 'close' } }),
    });
    const { port } = new URL(receiver.url);
    const answers = [address('127.0.0.1'), address('10.0.0.1')];
    await using sender = openTestSender({ resolve: async () => answers.shift() ?? [] });
    const url = `http://rebinding.example:${port}/`;
    expect((await sender.send(request(url))).answer).toMatchObject({ status: 200 });
    expect((await sender.send(request(url))).answer).toMatchObject({
      error: 'The host has a private or reserved address',
    });
    expect(receiver.requests).toHaveLength(1);
  });

  it('connects to another address of a name when one does not answer', async () => {
    await using receiver = await startReceiver();
    const { port } = new URL(receiver.url);
    const resolve = async () => [...address('127.0.0.2'), ...address('127.0.0.1')];
    await using sender = openTestSender({ resolve });
    const { answer } = await sender.send(request(`http://two.example:${port}/`));
    expect(answer).toMatchObject({ kind: 'response', status: 204 });
  });

  it('opens no more connections than allowed for an origin, and reuses them', async () => {
    await using receiver = await startRaw((socket) => {
      socket.on('data', () => socket.write('HTTP/1.1 204 No Content\r\n\r\n'));
    });
    await using sender = openTestSender({ connectionsPerOrigin: 3 });
    const sent = await Promise.all(
      Array.from({ length: 60 }, (_, n) =>
        sender.send({ ...request(receiver.url), accountId: `usr_${n}` }),
      ),
    );
    expect(sent.every(({ answer }) => answer.kind === 'response')).toBe(true);
    expect(receiver.opened()).toBe(3);
  });

  it('sends nothing when the deadline passes while its connection is opened', async () => {
    // The clock of the deadlines moves only when the test says so.
    vi.useFakeTimers({ toFake: ['performance'] });
    onTestFinished(() => void vi.useRealTimers());
    const { promise: found, resolve: find } = Promise.withResolvers<void>();
    const paths: string[] = [];
    await using receiver = await startRaw((socket) =>
      socket.on('data', (data) => {
        paths.push(data.toString().split(' ')[1] ?? '');
        socket.write('HTTP/1.1 204 No Content\r\n\r\n');
      }),
    );
    const resolve = async () => {
      await found;
      return address('127.0.0.1');
    };
    await using sender = openTestSender({ timeoutMs: 50, resolve });
    const url = `http://a.example:${receiver.port}`;
    const late = sender.send(request(`${url}/late`));
    vi.advanceTimersByTime(50);
    const error = 'No complete answer within 50 ms';
    expect((await late).answer).toEqual({ kind: 'failure', error });
    find();
    await until(() => receiver.opened() === 1);
    expect((await sender.send(request(`${url}/next`))).answer).toMatchObject({ status: 204 });
    expect(paths).toEqual(['/next']);
  });

  it.each(['000', '099', '101'])(
    'fails with a plain sentence when the response has status %s',
    async (status) => {
      await using receiver = await startRaw((socket) => {
        socket.on('data', () => socket.write(`HTTP/1.1 ${status} x\r\ncontent-length: 0\r\n\r\n`));
      });
      await using sender = openTestSender();
      const { answer } = await sender.send(request(receiver.url));
      const error = `The response has status ${status}, which is not valid here`;
      expect(answer).toEqual({ kind: 'failure', error });
    },
  );

  it('postpones a request when its name cannot be looked up in time', async () => {
    const resolve = () => Promise.reject(new LookupTimeoutError('too late'));
    await using sender = openTestSender({ resolve });
    const { answer } = await sender.send(request('http://name.example/'));
    expect(answer).toEqual({ kind: 'postponed', cause: 'lookup', reason: 'too late' });
  });

  it('postpones requests beyond the limit of an address, whichever name leads there', async () => {
    const open: Socket[] = [];
    await using receiver = await startRaw((socket) => socket.on('data', () => open.push(socket)));
    await using sender = openTestSender({
      resolve: async () => address('127.0.0.1'),
      isAddressLimited: () => true,
      addressLimit: new AddressLimit(7),
    });
    const post = (host: string) => sender.send(request(`http://${host}:${receiver.port}/`));
    const inFlight = ['a.example', 'b.example', '127.0.0.1'].map(post);
    await until(() => open.length === 3);
    for (const host of ['a.example', 'c.example', '127.0.0.1']) {
      const { answer } = await post(host);
      expect(answer).toMatchObject({ kind: 'postponed', cause: 'busy' });
    }
    for (const socket of open) socket.write('HTTP/1.1 204 No Content\r\n\r\n');
    await Promise.all(inFlight);
    const next = post('c.example');
    await until(() => open.length === 4);
    open[3]?.write('HTTP/1.1 204 No Content\r\n\r\n');
    expect((await next).answer).toMatchObject({ status: 204 });
  });

  it('postpones a request that its own shutdown cuts off', async () => {
    const { promise: arrived, resolve: arrive } = Promise.withResolvers<void>();
    await using hanging = await startRaw((socket) => socket.on('data', () => arrive()));
    const sender = openTestSender();
    const sent = sender.send(request(hanging.url));
    await arrived;
    await sender[Symbol.asyncDispose]();
    expect((await sent).answer).toMatchObject({ kind: 'postponed', cause: 'shutdown' });
  });

  it('fails with the reason when the connection is refused', async () => {
    const gone = await startReceiver();
    await gone[Symbol.asyncDispose]();
    await using sender = openTestSender();
    const { answer } = await sender.send(request(gone.url));
    expect(answer).toEqual({ kind: 'failure', error: expect.stringContaining('ECONNREFUSED') });
  });
});
