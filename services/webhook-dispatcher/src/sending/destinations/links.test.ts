import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { AddressLimit } from '../address-limit.ts';
import type { DestinationMessage } from '../destination-message.ts';
import { Links } from './links.ts';
import type { SocketTarget } from './socket-target.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const TIMEOUT_MS = 10_000;
const target: SocketTarget = {
  url: new URL('amqp://broker.example/'),
  host: 'broker.example',
  port: 5672,
  isSecure: false,
  lookup: () => undefined,
  limitedAddresses: [],
};
const message = (deliveryId: string): DestinationMessage => ({
  accountId: 'usr_1',
  subscriptionId: 'whk_1',
  sealedDestination: '',
  url: target.url.href,
  deliveryId,
  event: 'note.shared',
  startedMs: 0,
  headers: [],
  body: Buffer.from('{}'),
});

/** Connections to a broker that confirms what it is told to. */
function startBroker() {
  const broker = { opened: 0, closed: 0, confirm: new Map<string, () => void>() };
  const open = async () => {
    broker.opened += 1;
    let isOpen = true;
    const failures: ((error: Error) => void)[] = [];
    return {
      isOpen: () => isOpen,
      send({ deliveryId }: DestinationMessage) {
        const { promise, resolve, reject } = Promise.withResolvers<void>();
        broker.confirm.set(deliveryId, resolve);
        failures.push(reject);
        return promise;
      },
      async close() {
        isOpen = false;
        broker.closed += 1;
        for (const fail of failures) fail(new Error('Connection closed'));
      },
    };
  };
  return { broker, open };
}

it('leaves a connection with a late confirmation to what else is on it, and closes it then', async () => {
  await using links = new Links({ timeoutMs: TIMEOUT_MS, addressLimit: new AddressLimit(10) });
  const { broker, open } = startBroker();
  const late = links.send(message('dlv_1'), target, open);
  await vi.advanceTimersByTimeAsync(TIMEOUT_MS / 2);
  const younger = links.send(message('dlv_2'), target, open);
  await vi.advanceTimersByTimeAsync(TIMEOUT_MS / 2);
  expect((await late).answer).toMatchObject({ kind: 'failure' });

  const next = links.send(message('dlv_3'), target, open);
  await vi.advanceTimersByTimeAsync(0);
  expect(broker).toMatchObject({ opened: 2, closed: 0 });
  broker.confirm.get('dlv_2')?.();
  expect((await younger).answer).toMatchObject({ kind: 'response', status: 200 });
  expect(broker.closed).toBe(1);
  broker.confirm.get('dlv_3')?.();
  expect((await next).answer).toMatchObject({ kind: 'response', status: 200 });
});
