import type { DestinationBody } from '@atrium/contracts/webhooks/destinations';
import { newId } from '@atrium/contracts/ids';
import { createAddressGuard } from '@atrium/service-kit/address-guard';
import { sealDestination } from '../../subscriptions/destination.ts';
import { createSubscriptionSecrets } from '../../subscriptions/secrets.ts';
import { AddressLimit } from '../address-limit.ts';
import { createDeliver } from '../deliver.ts';
import { createResolver } from '@atrium/service-kit/resolver';
import { leased, openTestSender, testKeyRing } from '../sender.fixture.ts';
import { type DestinationsOptions, openDestinations } from './send-elsewhere.ts';

const keyRing = testKeyRing();
export const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=';

/** What delivers to a destination on this machine, as a worker does. */
export function openTestDestinations(options: Partial<DestinationsOptions> = {}) {
  const stack = new AsyncDisposableStack();
  const guard = createAddressGuard(['127.0.0.0/8', '::1/128']);
  const { send } = stack.use(openTestSender({ guard }));
  const { sendElsewhere } = stack.use(
    openDestinations({
      keyRing,
      send,
      guard,
      resolve: createResolver(),
      allowHttp: true,
      timeoutMs: 30_000,
      addressLimit: new AddressLimit(1_000),
      isAddressLimited: () => false,
      ...options,
    }),
  );
  const deliver = createDeliver({
    send,
    sendElsewhere,
    secrets: createSubscriptionSecrets(keyRing),
    delaysMs: [1_000, 2_000, 3_000, 4_000],
    random: () => 0.5,
    clockMs: Date.now,
  });
  return {
    /** Makes one attempt of a delivery. */
    async attempt(url: string, destination: DestinationBody, id = newId('dlv')) {
      const endpoint = { sealedDestination: sealDestination(keyRing, 'whk_1', destination) };
      const made = await deliver(leased(keyRing, url, { id, secret, endpoint }));
      if (made.outcome === 'postponed') return { outcome: made.outcome, error: made.reason };
      const { outcome, status, error } = made;
      return { outcome, status, error };
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}
