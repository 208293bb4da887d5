import { randomBytes } from 'node:crypto';
import { type KeyRing, parseKeyRing } from '@atrium/service-kit/key-ring';
import { createSubscriptionSecrets, newSecret } from '../subscriptions/secrets.ts';
import { createDeliver } from './deliver.ts';
import { createAddressGuard } from './egress.ts';
import { createResolver } from './resolver.ts';
import { openSender, type SenderOptions } from './send.ts';
import type { LeasedDelivery } from './store.ts';

/** A sender that may reach receivers on this machine. */
export const openTestSender = (options: Partial<SenderOptions> = {}) =>
  openSender({
    guard: createAddressGuard(['127.0.0.0/8']),
    resolve: createResolver(),
    allowHttp: true,
    timeoutMs: 2_000,
    connectionsPerOrigin: 4,
    ...options,
  });

export const newKey = (id: string) => `${id}:${randomBytes(32).toString('base64')}`;

export const testKeyRing = (): KeyRing => parseKeyRing([newKey('test')]);

/** Makes attempts with this ring and sender. */
export const testDeliver = (keyRing: KeyRing, send: Parameters<typeof createDeliver>[0]['send']) =>
  createDeliver({
    send,
    secrets: createSubscriptionSecrets(keyRing),
    delaysMs: [1_000, 2_000, 3_000, 4_000],
    random: () => 0.5,
    clockMs: Date.now,
  });

/** A delivery as a lease gives it out. */
export function leased(
  keyRing: KeyRing,
  url: string,
  wishes: Partial<LeasedDelivery> & { secret?: string } = {},
): LeasedDelivery {
  const { secret = newSecret(), ...rest } = wishes;
  return {
    id: 'dlv_1',
    leaseId: '00000000-0000-4000-8000-000000000000',
    subscriptionId: 'whk_1',
    event: 'note.shared',
    body: '{"title":"Grüße"}',
    url,
    sealedSecret: keyRing.encrypt(secret, 'whk_1'),
    sealedHeaders: null,
    previousSealedSecret: null,
    serviceSignatureSwitchAt: null,
    attemptCount: 0,
    attemptsAllowed: 5,
    eventRequestId: null,
    rateLimitPerSecond: null,
    takenOver: false,
    failingSince: null,
    ...rest,
  };
}
