import type { Socket } from 'node:net';
import { until } from '@atrium/testkit/until';
import { expect, it, onTestFinished, vi } from 'vitest';
import { AddressLimit } from './address-limit.ts';
import { startRaw } from './raw-receiver.fixture.ts';
import { openTestSender } from './sender.fixture.ts';

const NO_CONTENT = 'HTTP/1.1 204 No Content\r\n\r\n';

/** A receiver that answers `/healthy`, and whatever else it has got when it is told to. */
async function startReceiver() {
  const open = new Map<string, Socket>();
  const paths: string[] = [];
  const raw = await startRaw((socket) =>
    socket.on('data', (data) => {
      const path = data.toString().split(' ')[1] ?? '';
      paths.push(path);
      if (path === '/healthy') socket.write(NO_CONTENT);
      else open.set(path, socket);
    }),
  );
  return {
    port: raw.port,
    url: (path: string, host = '127.0.0.1') => `http://${host}:${raw.port}${path}`,
    paths,
    answer: (path: string) => open.get(path)?.write(NO_CONTENT),
    [Symbol.asyncDispose]: () => raw[Symbol.asyncDispose](),
  };
}

const requestOf = (accountId: string, url: string) => ({
  accountId,
  url,
  headers: [],
  body: Buffer.from('{}'),
});

/** Stops the clock of the deadlines, so that only the test lets time pass. */
function stopClock() {
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
}

const accounts = ['usr_a', 'usr_b', 'usr_c', 'usr_d', 'usr_e'];
const each = (send: (accountId: string, path: string) => Promise<unknown>) =>
  accounts.flatMap((accountId) =>
    Array.from({ length: 32 }, (_, n) => send(accountId, `/${accountId}/${n}`)),
  );

it('sends for an account while five others have all the requests to its origin that they may', async () => {
  await using receiver = await startReceiver();
  await using sender = openTestSender({ connectionsPerOrigin: 32 });
  const post = (accountId: string, path: string) =>
    sender.send(requestOf(accountId, receiver.url(path)));
  const others = each(post);
  const { answer } = await post('usr_victim', '/healthy');
  expect(answer).toMatchObject({ kind: 'response', status: 204 });
  expect(receiver.paths.length).toBeLessThan(32);
  void Promise.allSettled(others);
});

it('sends for an account while five others have all the requests to its address that they may', async () => {
  await using receiver = await startReceiver();
  await using sender = openTestSender({
    resolve: async () => [{ address: '127.0.0.1', family: 4 }],
    isAddressLimited: () => true,
    addressLimit: new AddressLimit(32),
    connectionsPerOrigin: 1_000,
  });
  const post = (accountId: string, path: string) =>
    sender.send(requestOf(accountId, receiver.url(path, `${accountId}.example`)));
  let postponed = 0;
  const others = each(async (accountId, path) => {
    const { answer } = await post(accountId, path);
    if (answer.kind === 'postponed' && answer.cause === 'busy') postponed += 1;
  });
  await until(() => receiver.paths.length + postponed === others.length);
  for (const accountId of accounts) {
    expect(receiver.paths.some((path) => path.startsWith(`/${accountId}/`))).toBe(true);
  }
  const { answer } = await post('usr_victim', '/healthy');
  expect(answer).toMatchObject({ kind: 'response', status: 204 });
});

it('does not count the wait for other requests of the account as time of the receiver', async () => {
  stopClock();
  await using receiver = await startReceiver();
  await using sender = openTestSender({ connectionsPerOrigin: 4, timeoutMs: 50 });
  const post = (path: string) => sender.send(requestOf('usr_a', receiver.url(path)));
  const [first, second, third] = ['/first', '/second', '/third'].map(post);
  await until(() => receiver.paths.length === 2);
  vi.advanceTimersByTime(40);
  receiver.answer('/first');
  await until(() => receiver.paths.length === 3);
  vi.advanceTimersByTime(20);
  expect((await second)?.answer).toMatchObject({ kind: 'failure' });
  receiver.answer('/third');
  expect((await first)?.answer).toMatchObject({ status: 204 });
  expect(await third).toMatchObject({ answer: { status: 204 }, durationMs: 20 });
});

it('postpones what has waited too long for other requests of the account, and does not send it', async () => {
  stopClock();
  await using receiver = await startReceiver();
  await using sender = openTestSender({ connectionsPerOrigin: 4, waitMs: 50 });
  const post = (path: string) => sender.send(requestOf('usr_a', receiver.url(path)));
  const [first, second, late] = ['/first', '/second', '/late'].map(post);
  await until(() => receiver.paths.length === 2);
  vi.advanceTimersByTime(50);
  const reason = 'Too many requests of the account to the origin are in flight';
  expect(await late).toEqual({
    answer: { kind: 'postponed', cause: 'busy', reason },
    durationMs: 0,
  });
  for (const path of ['/first', '/second']) receiver.answer(path);
  await Promise.all([first, second]);
  expect((await post('/healthy')).answer).toMatchObject({ status: 204 });
  expect(receiver.paths).toEqual(['/first', '/second', '/healthy']);
});
