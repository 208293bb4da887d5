import { createLogger } from '@atrium/service-kit/logger';
import type { Attempt, LeasedDelivery, PostponedAttempt } from '../sending/deliver.ts';
import { leased, testKeyRing } from '../sending/sender.fixture.ts';
import { attemptOf } from './attempt.fixture.ts';
import { DeliveryLoop } from './delivery-loop.ts';
import type { LeaseStore } from './lease-store.ts';

type Result = Partial<Attempt> | PostponedAttempt;

const keyRing = testKeyRing();

export const delivery = (id: string, leaseId = 'one') =>
  leased(keyRing, 'https://example.com', { id, leaseId, startBeforeMs: Date.now() + 5_000 });

/** A loop that leases what `due` holds, and whose requests last until they are answered. */
export function setUpLoop() {
  const due: LeasedDelivery[] = [];
  const leases: string[][] = [];
  const cursors: string[] = [];
  const released: string[] = [];
  const persisted: string[] = [];
  const sent: string[] = [];
  const requests = new Map<string, (result: Result) => void>();
  const database = { isAway: false, failures: 0, dueEndpoints: [] as string[] };
  const store: LeaseStore = {
    async findDueEndpoints(after) {
      cursors.push(after);
      return database.dueEndpoints;
    },
    async lease({ slots }) {
      const deliveries = due.splice(0, slots.get('whk_1') ?? 0);
      leases.push(deliveries.map(({ id }) => id));
      return deliveries;
    },
    async leaseNamed(ids) {
      if (database.isAway) {
        database.failures += 1;
        throw new Error('away');
      }
      const named = due.filter(({ id }) => ids.includes(id));
      for (const one of named) due.splice(due.indexOf(one), 1);
      leases.push(named.map(({ id }) => id));
      return named;
    },
    async release(deliveries) {
      released.push(...deliveries.map(({ id }) => id));
    },
    async postpone({ id }, { delayMs }) {
      released.push(`${id} for ${delayMs} ms`);
    },
  };
  const loop = new DeliveryLoop({
    leases: store,
    deliver: (attempted) => {
      sent.push(attempted.id);
      const { promise, resolve } = Promise.withResolvers<Attempt | PostponedAttempt>();
      requests.set(attempted.id, (result) =>
        resolve(result.outcome === 'postponed' ? result : attemptOf(attempted, result)),
      );
      return promise;
    },
    async recordAttempts(attempts) {
      if (database.isAway) {
        database.failures += 1;
        throw Object.assign(new Error('away'), { code: 'ECONNREFUSED' });
      }
      return new Set(attempts.map(({ deliveryId }) => deliveryId));
    },
    takePermits: async () => ({ granted: 1, retryAfterMs: 0 }),
    logger: createLogger({ service: 'test', level: 'silent' }),
    concurrency: 100,
    endpointConcurrency: 1,
    onPersisted: ({ deliveryId }, _delivery, result) => persisted.push(`${deliveryId} ${result}`),
  });
  /** Makes these due and wakes the loop for their endpoint. */
  const becomeDue = (...deliveries: LeasedDelivery[]) => {
    due.push(...deliveries);
    loop.wake(['whk_1']);
  };
  const answer = (id: string, result: Result = {}) => requests.get(id)?.(result);
  return { loop, becomeDue, answer, due, sent, leases, cursors, released, persisted, database };
}
