import { once } from 'node:events';
import { newId } from '@atrium/contracts/ids';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { EventStreams } from './event-streams.ts';
import { currentHolder, runForHolder } from './holder.ts';
import { createLogger } from './logger.ts';

const options = {
  authenticator: { isCurrent: () => true },
  logger: createLogger({ service: 'streams-test', level: 'silent' }),
  pollMs: 1_000,
  poll: async () => undefined,
};
let streams: EventStreams<object>;
beforeEach(() => {
  streams = new EventStreams(options);
});
afterEach(() => streams[Symbol.asyncDispose]());

interface Reader {
  id?: string;
  emailVerified?: boolean;
  network: string;
}

function open({ id = newId('usr'), emailVerified = true, network }: Reader) {
  const claims = {
    sessionId: newId('ses'),
    plan: 'free',
    isOperator: false,
    scopes: null,
    applicationId: null,
  } as const;
  const account = { id, emailVerified, expiresAtMs: Date.now() + 60_000, ...claims };
  return streams.open({ account, network }, {});
}

/** The status that the first refused one is answered with, and how many were opened before. */
function openUntilRefused(readerOf: (n: number) => Reader): [number, unknown] {
  for (let n = 0; n < 2_000; n += 1) {
    try {
      open(readerOf(n));
    } catch (error) {
      return [n, error];
    }
  }
  throw new Error('None was refused');
}

const TOO_MANY = expect.objectContaining({ status: 429 });
const FULL = expect.objectContaining({ status: 503 });

describe('open streams of a process', () => {
  it('are served for nobody in particular, whoever opens the first', async () => {
    const polled = Promise.withResolvers<string | undefined>();
    streams = new EventStreams({
      ...options,
      pollMs: 1,
      poll: async () => polled.resolve(currentHolder()),
    });
    runForHolder('usr_first', () => open({ network: '192.0.2.1' }));
    expect(await polled.promise).toBeUndefined();
  });

  it('are ten of an account, and five while its email address is not verified', () => {
    const id = newId('usr');
    const network = (n: number) => `192.0.2.${n}`;
    expect(openUntilRefused((n) => ({ id, network: network(n) }))).toEqual([10, TOO_MANY]);
    const unverified = { id: newId('usr'), emailVerified: false };
    expect(openUntilRefused((n) => ({ ...unverified, network: network(n) }))).toEqual([
      5,
      TOO_MANY,
    ]);
    open({ network: network(1) });
  });

  it('are a hundred of an IP address, whatever its accounts', () => {
    expect(openUntilRefused(() => ({ network: '192.0.2.1' }))).toEqual([100, TOO_MANY]);
    open({ network: '192.0.2.2' });
  });

  it('are left to others by any number of accounts that are not verified', () => {
    const unverified = (n: number) => ({ emailVerified: false, network: `10.0.${n}.1` });
    expect(openUntilRefused(unverified)).toEqual([300, FULL]);
    open({ network: '192.0.2.1' });
  });

  it('are a thousand; one that ends makes place for another', async () => {
    const first = open({ network: '192.0.2.1' });
    expect(openUntilRefused((n) => ({ network: `10.0.${n}.1` }))).toEqual([999, FULL]);
    first.body.destroy();
    await once(first.body, 'close');
    open({ network: '192.0.2.1' });
  });
});
