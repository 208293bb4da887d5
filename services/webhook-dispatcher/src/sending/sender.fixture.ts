import { randomBytes } from 'node:crypto';
import { type KeyRing, parseKeyRing } from '@atrium/service-kit/key-ring';
import { createSubscriptionSecrets, newSecret } from '../subscriptions/secrets.ts';
import { AddressLimit } from './address-limit.ts';
import { createDeliver, type LeasedDelivery } from './deliver.ts';
import { createAddressGuard } from '@atrium/service-kit/address-guard';
import { createResolver } from '@atrium/service-kit/resolver';
import { openSender, type SenderOptions } from './send.ts';

/** A sender that may reach receivers on this machine. */
export const openTestSender = (options: Partial<SenderOptions> = {}) =>
  openSender({
    guard: createAddressGuard(['127.0.0.0/8']),
    resolve: createResolver(),
    allowHttp: true,
    timeoutMs: 30_000,
    waitMs: 30_000,
    connectionsPerOrigin: 4,
    isAddressLimited: () => false,
    addressLimit: new AddressLimit(1_000),
    ...options,
  });

export const newKey = (id: string) => `${id}:${randomBytes(32).toString('base64')}`;

export const testKeyRing = (): KeyRing => parseKeyRing([newKey('test')]);

/** Makes attempts with this ring and sender. */
export const testDeliver = (keyRing: KeyRing, send: Parameters<typeof createDeliver>[0]['send']) =>
  createDeliver({
    send,
    sendElsewhere: async () => {
      throw new Error('not in this test');
    },
    secrets: createSubscriptionSecrets(keyRing),
    delaysMs: [1_000, 2_000, 3_000, 4_000],
    random: () => 0.5,
    clockMs: Date.now,
  });

export interface LeaseOverrides extends Partial<Omit<LeasedDelivery, 'endpoint'>> {
  endpoint?: Partial<LeasedDelivery['endpoint']>;
  secret?: string;
}

/** A delivery as a lease returns it. */
export function leased(
  keyRing: KeyRing,
  url: string,
  overrides: LeaseOverrides = {},
): LeasedDelivery {
  const { secret = newSecret(), endpoint, ...rest } = overrides;
  return {
    id: 'dlv_1',
    leaseId: '00000000-0000-4000-8000-000000000000',
    subscriptionId: 'whk_1',
    event: 'note.shared',
    body: '{"title":"Grüße"}',
    bodyBytes: 19,
    attemptCount: 0,
    attemptsAllowed: 5,
    postponedSinceMs: null,
    eventRequestId: null,
    traceparent: null,
    dueMs: null,
    leasedMs: Date.now(),
    isTakenOver: false,
    takeOvers: 0,
    startBeforeMs: Date.now() + 5_000,
    ...rest,
    endpoint: {
      accountId: 'usr_1',
      url,
      sealedSecret: keyRing.encrypt(secret, 'whk_1'),
      sealedHeaders: null,
      sealedDestination: null,
      previousSealedSecret: null,
      signsWithPrevious: false,
      rateLimitPerSecond: null,
      failingSinceMs: null,
      ...endpoint,
    },
  };
}
